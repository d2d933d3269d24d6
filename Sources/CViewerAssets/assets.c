#include "CViewerAssets.h"

// #embed is C23; clang offers it in every C mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char template[] = {
#embed "viewer/report.html"
};

static const unsigned char style[] = {
#embed "viewer/theme.css" suffix(, )
#embed "viewer/report.css" suffix(, )
#embed "viewer/stage.css"
};

// The page of figures: a skeleton, its styles and the one thing that it does.
static const unsigned char figure_template[] = {
#embed "viewer/figures.html"
};

static const unsigned char figure_style[] = {
#embed "viewer/theme.css" suffix(, )
#embed "viewer/report.css" suffix(, )
#embed "viewer/figures.css"
};

static const unsigned char figure_script[] = {
#embed "viewer/figures.js"
};

// Later files use the names of earlier ones.
static const unsigned char script[] = {
#embed "viewer/element.js" suffix(, )
#embed "viewer/quantity.js" suffix(, )
#embed "viewer/colormaps.js" suffix(, )
#embed "viewer/orientation.js" suffix(, )
#embed "viewer/scene.js" suffix(, )
#embed "viewer/verdict.js" suffix(, )
#embed "viewer/findings.js" suffix(, )
#embed "viewer/details.js" suffix(, )
#embed "viewer/probe.js" suffix(, )
#embed "viewer/depthrange.js" suffix(, )
#embed "viewer/marks.js" suffix(, )
#embed "viewer/loupe.js" suffix(, )
#embed "viewer/overlay.js" suffix(, )
#embed "viewer/orbit.js" suffix(, )
#embed "viewer/shaders.js" suffix(, )
#embed "viewer/cloud.js" suffix(, )
#embed "viewer/cloudmarks.js" suffix(, )
#embed "viewer/gestures.js" suffix(, )
#embed "viewer/stage.js" suffix(, )
#embed "viewer/report.js"
};

plumbline_asset plumbline_report_template(void) {
  return (plumbline_asset){template, sizeof template};
}

plumbline_asset plumbline_report_style(void) { return (plumbline_asset){style, sizeof style}; }

plumbline_asset plumbline_report_script(void) { return (plumbline_asset){script, sizeof script}; }

plumbline_asset plumbline_figure_template(void) {
  return (plumbline_asset){figure_template, sizeof figure_template};
}

plumbline_asset plumbline_figure_style(void) {
  return (plumbline_asset){figure_style, sizeof figure_style};
}

plumbline_asset plumbline_figure_script(void) {
  return (plumbline_asset){figure_script, sizeof figure_script};
}
