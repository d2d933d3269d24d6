#include <stdlib.h>
#include <string.h>

#include "CONNXRuntime.h"
#include "functions.h"

/// An input or output: what it is, and what it holds for one run.
typedef struct {
  plumbline_onnxruntime_port port;
  int type;
  value_t *value;
  /// The numbers of an input, which its value refers to, and the bytes that they may have.
  void *numbers;
  size_t capacity;
} slot_t;

struct plumbline_onnxruntime_network {
  plumbline_onnxruntime *library;
  session_t *session;
  size_t input_count, output_count;
  slot_t *inputs, *outputs;
};

#define TRY(call) \
  if (!plb_ort_succeeds(library, (call), problem)) return false;

static void release_slots(plumbline_onnxruntime *library, slot_t *slots, size_t count) {
  for (size_t i = 0; slots && i < count; i++) {
    if (slots[i].value) library->ReleaseValue(slots[i].value);
    free(slots[i].numbers);
  }
  free(slots);
}

static void release_network(plumbline_onnxruntime_network *network) {
  if (!network) return;
  plumbline_onnxruntime *library = network->library;
  release_slots(library, network->inputs, network->input_count);
  release_slots(library, network->outputs, network->output_count);
  if (network->session) library->ReleaseSession(network->session);
  free(network);
}

void plumbline_onnxruntime_release(plumbline_onnxruntime_network *network) {
  plb_ort_lock();
  release_network(network);
  plb_ort_unlock();
}

static bool append_provider(
    plumbline_onnxruntime *library, options_t *options, plumbline_onnxruntime_provider provider,
    plumbline_onnxruntime_problem *problem) {
  if (provider == plumbline_onnxruntime_coreml) {
    TRY(library->AppendExecutionProvider(options, "CoreML", NULL, NULL, 0))
  } else if (provider == plumbline_onnxruntime_cuda) {
    cuda_options_t *cuda = NULL;
    TRY(library->CreateCUDAProviderOptions(&cuda))
    status_t *status = library->AppendExecutionProviderCUDA(options, cuda);
    library->ReleaseCUDAProviderOptions(cuda);
    TRY(status)
  }
  return true;
}

static bool set_options(
    plumbline_onnxruntime *library, options_t *options, int threads,
    plumbline_onnxruntime_provider provider, plumbline_onnxruntime_problem *problem) {
  TRY(library->SetIntraOpNumThreads(options, threads))
  TRY(library->SetInterOpNumThreads(options, 1))
  TRY(library->SetSessionGraphOptimizationLevel(options, optimize_all))
  // A thread that waits for work by spinning takes the processor from everybody else.
  TRY(library->AddSessionConfigEntry(options, "session.intra_op.allow_spinning", "0"))
  return append_provider(library, options, provider, problem);
}

static bool read_shape(
    plumbline_onnxruntime *library, const tensor_info_t *info, plumbline_onnxruntime_shape *shape,
    plumbline_onnxruntime_problem *problem) {
  size_t rank = 0;
  TRY(library->GetDimensionsCount(info, &rank))
  if (rank > PLB_TENSOR_RANK) {
    plb_ort_tell(problem, "a tensor has more than 8 dimensions");
    return false;
  }
  shape->rank = (int32_t)rank;
  TRY(library->GetDimensions(info, shape->lengths, rank))
  for (size_t i = 0; i < rank; i++) {
    if (shape->lengths[i] < 0) shape->lengths[i] = -1;
  }
  return true;
}

static bool describe(
    plumbline_onnxruntime *library, const type_info_t *type, slot_t *slot,
    plumbline_onnxruntime_problem *problem) {
  // It belongs to the type, and is NULL for what is no tensor, such as a sequence.
  const tensor_info_t *info = NULL;
  TRY(library->CastTypeInfoToTensorInfo(type, &info))
  if (!info) return true;
  TRY(library->GetTensorElementType(info, &slot->type))
  slot->port.is_numeric = plb_number_bytes(number_of(slot->type)) != 0;
  return read_shape(library, info, &slot->port.shape, problem);
}

static bool read_slot(
    plumbline_onnxruntime_network *network, bool is_output, size_t index, slot_t *slot,
    plumbline_onnxruntime_problem *problem) {
  plumbline_onnxruntime *library = network->library;
  char *name = NULL;
  TRY(is_output
          ? library->SessionGetOutputName(network->session, index, library->allocator, &name)
          : library->SessionGetInputName(network->session, index, library->allocator, &name))
  size_t length = 0;
  while (length < sizeof slot->port.name && name[length]) length++;
  bool fits = length < sizeof slot->port.name;
  if (fits) memcpy(slot->port.name, name, length + 1);
  bool is_freed =
      plb_ort_succeeds(library, library->AllocatorFree(library->allocator, name), problem);
  if (!fits) plb_ort_tell(problem, "a name has more than 255 bytes");
  if (!fits || !is_freed) return false;
  type_info_t *type = NULL;
  TRY(is_output ? library->SessionGetOutputTypeInfo(network->session, index, &type)
                : library->SessionGetInputTypeInfo(network->session, index, &type))
  bool is_described = describe(library, type, slot, problem);
  library->ReleaseTypeInfo(type);
  return is_described;
}

static bool read_slots(
    plumbline_onnxruntime_network *network, plumbline_onnxruntime_problem *problem) {
  plumbline_onnxruntime *library = network->library;
  size_t inputs = 0, outputs = 0;
  TRY(library->SessionGetInputCount(network->session, &inputs))
  TRY(library->SessionGetOutputCount(network->session, &outputs))
  if (inputs > PLUMBLINE_ONNXRUNTIME_PORTS || outputs > PLUMBLINE_ONNXRUNTIME_PORTS) {
    plb_ort_tell(problem, "it has more than 64 inputs or outputs");
    return false;
  }
  network->inputs = calloc(inputs + 1, sizeof *network->inputs);
  network->outputs = calloc(outputs + 1, sizeof *network->outputs);
  if (!network->inputs || !network->outputs) {
    plb_ort_tell(problem, "no memory");
    return false;
  }
  network->input_count = inputs;
  network->output_count = outputs;
  for (size_t i = 0; i < inputs; i++) {
    if (!read_slot(network, false, i, &network->inputs[i], problem)) return false;
  }
  for (size_t i = 0; i < outputs; i++) {
    if (!read_slot(network, true, i, &network->outputs[i], problem)) return false;
  }
  return true;
}

static plumbline_onnxruntime_network *read_network(
    plumbline_onnxruntime *library, const void *bytes, size_t byte_count, int threads,
    plumbline_onnxruntime_provider provider, plumbline_onnxruntime_problem *problem) {
  options_t *options = NULL;
  if (!plb_ort_succeeds(library, library->CreateSessionOptions(&options), problem)) return NULL;
  plumbline_onnxruntime_network *network = calloc(1, sizeof *network);
  bool is_read = network != NULL;
  if (!is_read) plb_ort_tell(problem, "no memory");
  if (network) network->library = library;
  is_read = is_read && set_options(library, options, threads, provider, problem)
      && plb_ort_succeeds(
             library,
             library->CreateSessionFromArray(
                 library->env, bytes, byte_count, options, &network->session),
             problem)
      && read_slots(network, problem);
  library->ReleaseSessionOptions(options);
  if (is_read) return network;
  release_network(network);
  return NULL;
}

plumbline_onnxruntime_network *plumbline_onnxruntime_read(
    plumbline_onnxruntime *library, const void *bytes, size_t byte_count, int threads,
    plumbline_onnxruntime_provider provider, plumbline_onnxruntime_problem *problem) {
  plb_ort_lock();
  plumbline_onnxruntime_network *network =
      read_network(library, bytes, byte_count, threads, provider, problem);
  plb_ort_unlock();
  return network;
}

size_t plumbline_onnxruntime_port_count(
    const plumbline_onnxruntime_network *network, bool is_output) {
  return is_output ? network->output_count : network->input_count;
}

const plumbline_onnxruntime_port *plumbline_onnxruntime_port_at(
    const plumbline_onnxruntime_network *network, bool is_output, size_t index) {
  return is_output ? &network->outputs[index].port : &network->inputs[index].port;
}

bool plumbline_onnxruntime_set_input(
    plumbline_onnxruntime_network *network, size_t index, const plumbline_onnxruntime_shape *shape,
    const float *values, size_t count, plumbline_onnxruntime_problem *problem) {
  plumbline_onnxruntime *library = network->library;
  slot_t *slot = &network->inputs[index];
  size_t width = plb_number_bytes(number_of(slot->type));
  if (width == 0 || count > SIZE_MAX / 16) {
    plb_ort_tell(problem, "an input takes no numbers");
    return false;
  }
  if (slot->value) library->ReleaseValue(slot->value);
  slot->value = NULL;
  if (!slot->numbers || slot->capacity < count * width) {
    free(slot->numbers);
    slot->numbers = calloc(count + 1, width);
    slot->capacity = slot->numbers ? count * width : 0;
  }
  void *numbers = slot->numbers;
  if (!numbers) {
    plb_ort_tell(problem, "no memory");
    return false;
  }
  plb_numbers_from_floats(number_of(slot->type), values, count, numbers);
  TRY(library->CreateTensorWithDataAsOrtValue(
      library->memory, numbers, count * width, shape->lengths, (size_t)shape->rank, slot->type,
      &slot->value))
  return true;
}

bool plumbline_onnxruntime_run(
    plumbline_onnxruntime_network *network, plumbline_onnxruntime_problem *problem) {
  plumbline_onnxruntime *library = network->library;
  const char *input_names[PLUMBLINE_ONNXRUNTIME_PORTS];
  const char *output_names[PLUMBLINE_ONNXRUNTIME_PORTS];
  const value_t *inputs[PLUMBLINE_ONNXRUNTIME_PORTS];
  value_t *outputs[PLUMBLINE_ONNXRUNTIME_PORTS] = {0};
  for (size_t i = 0; i < network->input_count; i++) {
    if (!network->inputs[i].value) {
      plb_ort_tell(problem, "an input was not set");
      return false;
    }
    input_names[i] = network->inputs[i].port.name;
    inputs[i] = network->inputs[i].value;
  }
  for (size_t i = 0; i < network->output_count; i++) {
    output_names[i] = network->outputs[i].port.name;
    if (network->outputs[i].value) library->ReleaseValue(network->outputs[i].value);
    network->outputs[i].value = NULL;
  }
  bool is_run = plb_ort_succeeds(
      library,
      library->Run(
          network->session, NULL, input_names, inputs, network->input_count, output_names,
          network->output_count, outputs),
      problem);
  for (size_t i = 0; i < network->output_count; i++) network->outputs[i].value = outputs[i];
  return is_run;
}

/// The type and shape of an output that a run gave.
static bool output_info(
    plumbline_onnxruntime_network *network, size_t index, int *type,
    plumbline_onnxruntime_shape *shape, size_t *count, plumbline_onnxruntime_problem *problem) {
  plumbline_onnxruntime *library = network->library;
  if (!network->outputs[index].value) {
    plb_ort_tell(problem, "there is no output before a run");
    return false;
  }
  tensor_info_t *info = NULL;
  TRY(library->GetTensorTypeAndShape(network->outputs[index].value, &info))
  bool is_read =
      plb_ort_succeeds(library, library->GetTensorElementType(info, type), problem)
      && plb_ort_succeeds(library, library->GetTensorShapeElementCount(info, count), problem)
      && read_shape(library, info, shape, problem);
  library->ReleaseTensorTypeAndShapeInfo(info);
  return is_read;
}

bool plumbline_onnxruntime_output_shape(
    plumbline_onnxruntime_network *network, size_t index, plumbline_onnxruntime_shape *shape,
    size_t *count, plumbline_onnxruntime_problem *problem) {
  int type = 0;
  return output_info(network, index, &type, shape, count, problem);
}

bool plumbline_onnxruntime_copy_output(
    plumbline_onnxruntime_network *network, size_t index, float *values, size_t count,
    plumbline_onnxruntime_problem *problem) {
  int type = 0;
  size_t found = 0;
  plumbline_onnxruntime_shape shape;
  if (!output_info(network, index, &type, &shape, &found, problem)) return false;
  if (found != count || plb_number_bytes(number_of(type)) == 0) {
    plb_ort_tell(problem, "an output has other numbers than its shape says");
    return false;
  }
  if (count == 0) return true;
  void *numbers = NULL;
  plumbline_onnxruntime *library = network->library;
  TRY(library->GetTensorMutableData(network->outputs[index].value, &numbers))
  plb_floats_from_numbers(number_of(type), numbers, count, values);
  return true;
}
