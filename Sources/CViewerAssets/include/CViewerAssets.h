#pragma once
#include <stddef.h>

// The files of the report page, embedded at compile time; they live as long as the program.

typedef struct {
  const unsigned char *bytes;
  size_t count;
} plumbline_asset;

plumbline_asset plumbline_report_template(void);
plumbline_asset plumbline_report_style(void);
plumbline_asset plumbline_report_script(void);

plumbline_asset plumbline_figure_template(void);
plumbline_asset plumbline_figure_style(void);
plumbline_asset plumbline_figure_script(void);
