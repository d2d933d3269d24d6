// Every function once, with each capture that is named: whole.c CAPTURE FOLDER.
#include "checks.h"

static bool count_calls(void *context, const char *stage, int64_t done, int64_t total) {
  CHECK(stage != NULL && done >= 0 && total >= 0);
  return ++*(int *)context < 1000;
}

static bool end_at_once(void *context, const char *stage, int64_t done, int64_t total) {
  (void)stage, (void)done, (void)total;
  ++*(int *)context;
  return false;
}

static void check_steps(plumbline_capture *capture) {
  plumbline_error *error = NULL;
  plumbline_capture *corrected = plumbline_capture_correct(capture, NULL, &error);
  if (!corrected) take_error(error);
  error = NULL;
  plumbline_capture *filtered = plumbline_capture_filter(capture, "{\"preset\": \"fusion\"}", &error);
  if (!filtered) take_error(error);
  error = NULL;
  char *numbers = plumbline_capture_measure(capture, "{\"point\": \"depth:10,10\"}", &error);
  if (numbers)
    take_text(numbers);
  else
    take_error(error);
  // What was made outlives what it was made of.
  plumbline_capture_free(capture);
  if (corrected) read_all(corrected);
  if (filtered) read_all(filtered);
  plumbline_capture_free(filtered);
  plumbline_capture_free(corrected);
}

static void check_run(const char *path, const char *folder) {
  char output[4096];
  snprintf(output, sizeof output, "%s/points.ply", folder);
  int calls = 0;
  plumbline_error *error = NULL;
  char *document = plumbline_run("cloud", &path, 1, output, NULL, end_at_once, &calls, &error);
  CHECK(document == NULL && calls == 1 && take_error(error) == PLUMBLINE_CANCELLED);
  CHECK(fopen(output, "rb") == NULL);
  error = NULL;
  document = plumbline_run("cloud", &path, 1, output, "{\"force\": true}", count_calls, &calls, &error);
  if (document) {
    CHECK(calls > 1);
    take_text(document);
    CHECK(remove(output) == 0);
  } else {
    take_error(error);
  }
  error = NULL;
  CHECK(plumbline_run("nothing", NULL, 0, NULL, NULL, NULL, NULL, &error) == NULL);
  CHECK(take_error(error) == PLUMBLINE_USAGE);
}

static void check_recording(const char *path) {
  plumbline_error *error = NULL;
  plumbline_recording *recording = plumbline_recording_open(path, "{\"threads\": 1}", &error);
  if (!recording) {
    take_error(error);
    return;
  }
  int64_t count = plumbline_recording_count(recording);
  CHECK(count > 0);
  take_text(plumbline_recording_info(recording, NULL));
  plumbline_capture *last = plumbline_recording_frame(recording, count - 1, &error);
  CHECK(last != NULL);
  CHECK(plumbline_recording_frame(recording, count, &error) == NULL);
  CHECK(take_error(error) == PLUMBLINE_USAGE);
  plumbline_recording_free(recording);
  read_all(last);
  plumbline_capture_free(last);
}

int main(int count, char **arguments) {
  CHECK(count == 3 && strlen(plumbline_version()) >= 5 && plumbline_interface() == PLUMBLINE_INTERFACE);
  plumbline_error *error = NULL;
  CHECK(plumbline_capture_open("/nowhere/nothing.heic", NULL, &error) == NULL);
  CHECK(take_error(error) == PLUMBLINE_MISSING_INPUT);
  const char *path = arguments[1];
  error = NULL;
  int32_t kind = plumbline_is_recording(path, &error);
  if (kind < 0) return take_error(error), 0;
  if (kind == 1) check_recording(path);
  plumbline_recording *recording = NULL;
  plumbline_capture *either = NULL;
  CHECK(plumbline_open(path, NULL, &either, &recording, &error));
  CHECK((recording != NULL) == (kind == 1) && (either == NULL) == (kind == 1));
  plumbline_recording_free(recording);
  plumbline_capture_free(either);
  CHECK(!plumbline_open(path, NULL, NULL, NULL, &error) && take_error(error) == PLUMBLINE_USAGE);
  plumbline_capture *capture = plumbline_capture_open(path, NULL, &error);
  CHECK(capture != NULL);
  double first = read_all(capture);
  CHECK(first == read_all(capture));
  check_steps(capture);
  check_run(path, arguments[2]);
  puts("whole: every function did as the header says");
  return 0;
}
