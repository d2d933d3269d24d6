#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "COpenVINO.h"
#include "functions.h"
#include "problem.h"

struct plumbline_openvino_network {
  plumbline_openvino *library;
  model_t *model;
  compiled_t *compiled;
  request_t *request;
  size_t input_count, output_count;
  /// One for each input, kept from run to run.
  tensor_t **inputs;
};

#define TRY(call) \
  { \
    int try_status = (call); \
    if (try_status != 0) { \
      tell_last(library, try_status, problem); \
      return false; \
    } \
  }

static void release_network(plumbline_openvino_network *network) {
  if (!network) return;
  plumbline_openvino *library = network->library;
  if (network->request) library->ov_infer_request_free(network->request);
  for (size_t i = 0; network->inputs && i < network->input_count; i++) {
    if (network->inputs[i]) library->ov_tensor_free(network->inputs[i]);
  }
  free(network->inputs);
  if (network->compiled) library->ov_compiled_model_free(network->compiled);
  if (network->model) library->ov_model_free(network->model);
  free(network);
}

static plumbline_openvino_network *read_network(
    plumbline_openvino *library, const char *bytes, size_t byte_count, const char *path,
    plumbline_openvino_problem *problem) {
  plumbline_openvino_network *network = calloc(1, sizeof *network);
  if (!network) {
    tell(problem, "no memory");
    return NULL;
  }
  network->library = library;
  int status = read_model(library, bytes, byte_count, path, &network->model, problem);
  if (status == 0) status = library->ov_model_inputs_size(network->model, &network->input_count);
  if (status == 0) status = library->ov_model_outputs_size(network->model, &network->output_count);
  if (status != 0) {
    if (status != told_already) tell_last(library, status, problem);
    release_network(network);
    return NULL;
  }
  network->inputs = calloc(network->input_count + 1, sizeof *network->inputs);
  if (!network->inputs) {
    tell(problem, "no memory");
    release_network(network);
    return NULL;
  }
  return network;
}

plumbline_openvino_network *plumbline_openvino_read(
    plumbline_openvino *library, const char *bytes, size_t byte_count, const char *path,
    plumbline_openvino_problem *problem) {
  plumbline_openvino_lock();
  plumbline_openvino_network *network = read_network(library, bytes, byte_count, path, problem);
  plumbline_openvino_unlock();
  return network;
}

void plumbline_openvino_release_network(plumbline_openvino_network *network) {
  plumbline_openvino_lock();
  release_network(network);
  plumbline_openvino_unlock();
}

size_t plumbline_openvino_port_count(
    const plumbline_openvino_network *network, bool is_output) {
  return is_output ? network->output_count : network->input_count;
}

static bool describe_port(
    plumbline_openvino *library, const port_t *source, plumbline_openvino_port *port,
    plumbline_openvino_problem *problem) {
  int type = 0;
  TRY(library->ov_port_get_element_type(source, &type))
  port->is_numeric = number_of(type) != plb_number_unknown;
  char *name = NULL;
  // Not every output has a name.
  if (library->ov_port_get_any_name(source, &name) == 0 && name) {
    snprintf(port->name, sizeof port->name, "%s", name);
    library->ov_free(name);
  }
  partial_shape_t shape = {0};
  TRY(library->ov_port_get_partial_shape(source, &shape))
  port->shape.rank = -1;
  bool fits = true;
  if (shape.rank.least == shape.rank.maximum) {
    fits = shape.rank.least >= 0 && shape.rank.least <= PLB_TENSOR_RANK;
    port->shape.rank = fits ? (int32_t)shape.rank.least : -1;
    for (int32_t i = 0; i < port->shape.rank; i++) {
      dimension_t length = shape.dimensions[i];
      port->shape.lengths[i] = length.least == length.maximum ? length.least : -1;
    }
  }
  library->ov_partial_shape_free(&shape);
  if (!fits) tell(problem, "a tensor has more than 8 dimensions");
  return fits;
}

bool plumbline_openvino_describe(
    const plumbline_openvino_network *network, bool is_output, size_t index,
    plumbline_openvino_port *port, plumbline_openvino_problem *problem) {
  plumbline_openvino *library = network->library;
  memset(port, 0, sizeof *port);
  port_t *source = NULL;
  TRY(is_output ? library->ov_model_const_output_by_index(network->model, index, &source)
                : library->ov_model_const_input_by_index(network->model, index, &source))
  bool is_described = describe_port(library, source, port, problem);
  library->ov_output_const_port_free(source);
  return is_described;
}

bool plumbline_openvino_reshape(
    plumbline_openvino_network *network, const plumbline_openvino_shape *shapes, size_t count,
    plumbline_openvino_problem *problem) {
  plumbline_openvino *library = network->library;
  partial_shape_t *partial = calloc(count + 1, sizeof *partial);
  size_t *indexes = calloc(count + 1, sizeof *indexes);
  int status = partial && indexes ? 0 : -1;
  size_t made = 0;
  for (; status == 0 && made < count; made += status == 0) {
    indexes[made] = made;
    status = library->ov_partial_shape_create_static(
        shapes[made].rank, shapes[made].lengths, &partial[made]);
  }
  if (status == 0) {
    status = library->ov_model_reshape_by_port_indexes(network->model, indexes, partial, count);
  }
  if (status != 0) tell_last(library, status, problem);
  for (size_t i = 0; i < made; i++) library->ov_partial_shape_free(&partial[i]);
  free(partial);
  free(indexes);
  return status == 0;
}

static bool compile(
    plumbline_openvino_network *network, uint32_t threads, bool reduced_precision,
    plumbline_openvino_problem *problem) {
  plumbline_openvino *library = network->library;
  char thread_text[16];
  snprintf(thread_text, sizeof thread_text, "%u", threads);
  // Names of properties: openvino/runtime/properties.hpp, and docs.openvino.ai, "CPU Device".
  property_t properties[] = {
      {"INFERENCE_NUM_THREADS", thread_text},
      {"NUM_STREAMS", "1"},
      {"PERFORMANCE_HINT", "LATENCY"},
      {"INFERENCE_PRECISION_HINT", reduced_precision ? "bf16" : "f32"},
      {"ENABLE_CPU_PINNING", "NO"},
  };
  TRY(library->ov_core_compile_model_props(
      library->core, network->model, "CPU", sizeof properties / sizeof *properties, properties,
      &network->compiled))
  TRY(library->ov_compiled_model_create_infer_request(network->compiled, &network->request))
  return true;
}

bool plumbline_openvino_compile(
    plumbline_openvino_network *network, uint32_t threads, bool reduced_precision,
    plumbline_openvino_problem *problem) {
  plumbline_openvino_lock();
  bool is_compiled = compile(network, threads, reduced_precision, problem);
  plumbline_openvino_unlock();
  return is_compiled;
}

static bool has_shape(
    const plumbline_openvino *library, const tensor_t *tensor,
    const plumbline_openvino_shape *shape) {
  shape_t found = {0};
  if (library->ov_tensor_get_shape(tensor, &found) != 0) return false;
  bool is_same = found.rank == shape->rank;
  for (int32_t i = 0; is_same && i < shape->rank; i++) {
    is_same = found.lengths[i] == shape->lengths[i];
  }
  library->ov_shape_free(&found);
  return is_same;
}

bool plumbline_openvino_set_input(
    plumbline_openvino_network *network, size_t index, const plumbline_openvino_shape *shape,
    const float *values, size_t count, plumbline_openvino_problem *problem) {
  plumbline_openvino *library = network->library;
  tensor_t **tensor = &network->inputs[index];
  if (*tensor && !has_shape(library, *tensor, shape)) {
    library->ov_tensor_free(*tensor);
    *tensor = NULL;
  }
  if (!*tensor) {
    port_t *port = NULL;
    int type = 0;
    TRY(library->ov_model_const_input_by_index(network->model, index, &port))
    int status = library->ov_port_get_element_type(port, &type);
    library->ov_output_const_port_free(port);
    TRY(status)
    int64_t lengths[PLB_TENSOR_RANK];
    memcpy(lengths, shape->lengths, sizeof lengths);
    TRY(library->ov_tensor_create(type, (shape_t){shape->rank, lengths}, tensor))
    TRY(library->ov_infer_request_set_input_tensor_by_index(network->request, index, *tensor))
  }
  int type = 0;
  size_t bytes = 0;
  void *numbers = NULL;
  TRY(library->ov_tensor_get_element_type(*tensor, &type))
  TRY(library->ov_tensor_get_byte_size(*tensor, &bytes))
  TRY(library->ov_tensor_data(*tensor, &numbers))
  size_t width = plb_number_bytes(number_of(type));
  if (width == 0 || bytes / width != count) {
    tell(problem, "an input has other numbers than its shape says");
    return false;
  }
  plb_numbers_from_floats(number_of(type), values, count, numbers);
  return true;
}

bool plumbline_openvino_infer(
    plumbline_openvino_network *network, plumbline_openvino_problem *problem) {
  plumbline_openvino *library = network->library;
  TRY(library->ov_infer_request_infer(network->request))
  return true;
}

bool plumbline_openvino_output_shape(
    plumbline_openvino_network *network, size_t index, plumbline_openvino_shape *shape,
    size_t *count, plumbline_openvino_problem *problem) {
  plumbline_openvino *library = network->library;
  tensor_t *tensor = NULL;
  TRY(library->ov_infer_request_get_output_tensor_by_index(network->request, index, &tensor))
  shape_t found = {0};
  int status = library->ov_tensor_get_shape(tensor, &found);
  if (status == 0) status = library->ov_tensor_get_size(tensor, count);
  bool fits = status == 0 && found.rank >= 0 && found.rank <= PLB_TENSOR_RANK;
  if (fits) {
    shape->rank = (int32_t)found.rank;
    for (int32_t i = 0; i < shape->rank; i++) shape->lengths[i] = found.lengths[i];
  }
  if (found.lengths) library->ov_shape_free(&found);
  library->ov_tensor_free(tensor);
  if (status != 0) {
    tell_last(library, status, problem);
  } else if (!fits) {
    tell(problem, "an output has more than 8 dimensions");
  }
  return fits;
}

bool plumbline_openvino_copy_output(
    plumbline_openvino_network *network, size_t index, float *values, size_t count,
    plumbline_openvino_problem *problem) {
  plumbline_openvino *library = network->library;
  tensor_t *tensor = NULL;
  TRY(library->ov_infer_request_get_output_tensor_by_index(network->request, index, &tensor))
  int type = 0;
  size_t found = 0;
  void *numbers = NULL;
  int status = library->ov_tensor_get_element_type(tensor, &type);
  if (status == 0) status = library->ov_tensor_get_size(tensor, &found);
  if (status == 0) status = library->ov_tensor_data(tensor, &numbers);
  bool fits = status == 0 && found == count && number_of(type) != plb_number_unknown;
  if (fits) plb_floats_from_numbers(number_of(type), numbers, count, values);
  library->ov_tensor_free(tensor);
  if (status != 0) {
    tell_last(library, status, problem);
  } else if (!fits) {
    tell(problem, "an output has other numbers than its shape says");
  }
  return fits;
}
