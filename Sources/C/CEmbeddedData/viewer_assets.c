// Written by Scripts/viewer-assets.
#include "viewer_assets.h"

#include <string.h>

// #embed is C23; clang offers it in every C mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char alarm_js[] = {
#embed "viewer/alarm.js"
};
static const unsigned char banners_js[] = {
#embed "viewer/banners.js"
};
static const unsigned char base64_js[] = {
#embed "viewer/base64.js"
};
static const unsigned char cameras_js[] = {
#embed "viewer/cameras.js"
};
static const unsigned char catalog_js[] = {
#embed "viewer/catalog.js"
};
static const unsigned char checkpanel_js[] = {
#embed "viewer/checkpanel.js"
};
static const unsigned char clients_js[] = {
#embed "viewer/clients.js"
};
static const unsigned char clipbox_js[] = {
#embed "viewer/clipbox.js"
};
static const unsigned char cliphandles_js[] = {
#embed "viewer/cliphandles.js"
};
static const unsigned char cloud_js[] = {
#embed "viewer/cloud.js"
};
static const unsigned char cloudmarks_js[] = {
#embed "viewer/cloudmarks.js"
};
static const unsigned char cloudpick_js[] = {
#embed "viewer/cloudpick.js"
};
static const unsigned char cloudprogram_js[] = {
#embed "viewer/cloudprogram.js"
};
static const unsigned char cloudtextures_js[] = {
#embed "viewer/cloudtextures.js"
};
static const unsigned char colormaps_js[] = {
#embed "viewer/colormaps.js"
};
static const unsigned char depthrange_js[] = {
#embed "viewer/depthrange.js"
};
static const unsigned char depthranks_js[] = {
#embed "viewer/depthranks.js"
};
static const unsigned char details_js[] = {
#embed "viewer/details.js"
};
static const unsigned char effects_js[] = {
#embed "viewer/effects.js"
};
static const unsigned char element_js[] = {
#embed "viewer/element.js"
};
static const unsigned char expressions_js[] = {
#embed "viewer/expressions.js"
};
static const unsigned char face_css[] = {
#embed "viewer/face.css"
};
static const unsigned char face_html[] = {
#embed "viewer/face.html"
};
static const unsigned char facepage_js[] = {
#embed "viewer/facepage.js"
};
static const unsigned char faces_js[] = {
#embed "viewer/faces.js"
};
static const unsigned char facetables_js[] = {
#embed "viewer/facetables.js"
};
static const unsigned char figures_css[] = {
#embed "viewer/figures.css"
};
static const unsigned char figures_html[] = {
#embed "viewer/figures.html"
};
static const unsigned char figures_js[] = {
#embed "viewer/figures.js"
};
static const unsigned char findings_js[] = {
#embed "viewer/findings.js"
};
static const unsigned char frame_js[] = {
#embed "viewer/frame.js"
};
static const unsigned char framecache_js[] = {
#embed "viewer/framecache.js"
};
static const unsigned char framecolor_js[] = {
#embed "viewer/framecolor.js"
};
static const unsigned char framemap_js[] = {
#embed "viewer/framemap.js"
};
static const unsigned char gallery_js[] = {
#embed "viewer/gallery.js"
};
static const unsigned char gestures_js[] = {
#embed "viewer/gestures.js"
};
static const unsigned char headlegend_js[] = {
#embed "viewer/headlegend.js"
};
static const unsigned char headmarks_js[] = {
#embed "viewer/headmarks.js"
};
static const unsigned char headmesh_js[] = {
#embed "viewer/headmesh.js"
};
static const unsigned char headruler_js[] = {
#embed "viewer/headruler.js"
};
static const unsigned char headshaders_js[] = {
#embed "viewer/headshaders.js"
};
static const unsigned char headview_js[] = {
#embed "viewer/headview.js"
};
static const unsigned char hevcdecoder_js[] = {
#embed "viewer/hevcdecoder.js"
};
static const unsigned char homeview_js[] = {
#embed "viewer/homeview.js"
};
static const unsigned char imagepane_js[] = {
#embed "viewer/imagepane.js"
};
static const unsigned char imageview_js[] = {
#embed "viewer/imageview.js"
};
static const unsigned char item_js[] = {
#embed "viewer/item.js"
};
static const unsigned char livepanel_js[] = {
#embed "viewer/livepanel.js"
};
static const unsigned char livestream_js[] = {
#embed "viewer/livestream.js"
};
static const unsigned char loupe_js[] = {
#embed "viewer/loupe.js"
};
static const unsigned char maplayers_js[] = {
#embed "viewer/maplayers.js"
};
static const unsigned char mapquantity_js[] = {
#embed "viewer/mapquantity.js"
};
static const unsigned char marks_js[] = {
#embed "viewer/marks.js"
};
static const unsigned char measurement_js[] = {
#embed "viewer/measurement.js"
};
static const unsigned char navigation_js[] = {
#embed "viewer/navigation.js"
};
static const unsigned char orbit_js[] = {
#embed "viewer/orbit.js"
};
static const unsigned char orientation_js[] = {
#embed "viewer/orientation.js"
};
static const unsigned char overlay_js[] = {
#embed "viewer/overlay.js"
};
static const unsigned char pilot_js[] = {
#embed "viewer/pilot.js"
};
static const unsigned char player_js[] = {
#embed "viewer/player.js"
};
static const unsigned char probe_js[] = {
#embed "viewer/probe.js"
};
static const unsigned char profile_js[] = {
#embed "viewer/profile.js"
};
static const unsigned char profileplot_js[] = {
#embed "viewer/profileplot.js"
};
static const unsigned char proximity_js[] = {
#embed "viewer/proximity.js"
};
static const unsigned char quantity_js[] = {
#embed "viewer/quantity.js"
};
static const unsigned char rangecontrols_js[] = {
#embed "viewer/rangecontrols.js"
};
static const unsigned char region_js[] = {
#embed "viewer/region.js"
};
static const unsigned char report_css[] = {
#embed "viewer/report.css"
};
static const unsigned char report_html[] = {
#embed "viewer/report.html"
};
static const unsigned char report_js[] = {
#embed "viewer/report.js"
};
static const unsigned char resultcolumns_js[] = {
#embed "viewer/resultcolumns.js"
};
static const unsigned char resultdetails_js[] = {
#embed "viewer/resultdetails.js"
};
static const unsigned char resultfigures_js[] = {
#embed "viewer/resultfigures.js"
};
static const unsigned char resultquery_js[] = {
#embed "viewer/resultquery.js"
};
static const unsigned char results_css[] = {
#embed "viewer/results.css"
};
static const unsigned char results_html[] = {
#embed "viewer/results.html"
};
static const unsigned char resultspage_js[] = {
#embed "viewer/resultspage.js"
};
static const unsigned char resultsummary_js[] = {
#embed "viewer/resultsummary.js"
};
static const unsigned char resulttable_js[] = {
#embed "viewer/resulttable.js"
};
static const unsigned char resultwords_js[] = {
#embed "viewer/resultwords.js"
};
static const unsigned char ruler_js[] = {
#embed "viewer/ruler.js"
};
static const unsigned char scan_css[] = {
#embed "viewer/scan.css"
};
static const unsigned char scan_html[] = {
#embed "viewer/scan.html"
};
static const unsigned char scanmesh_js[] = {
#embed "viewer/scanmesh.js"
};
static const unsigned char scanpage_js[] = {
#embed "viewer/scanpage.js"
};
static const unsigned char scanruler_js[] = {
#embed "viewer/scanruler.js"
};
static const unsigned char scanshaders_js[] = {
#embed "viewer/scanshaders.js"
};
static const unsigned char scanstatus_js[] = {
#embed "viewer/scanstatus.js"
};
static const unsigned char scanview_js[] = {
#embed "viewer/scanview.js"
};
static const unsigned char scene_js[] = {
#embed "viewer/scene.js"
};
static const unsigned char selection_js[] = {
#embed "viewer/selection.js"
};
static const unsigned char session_js[] = {
#embed "viewer/session.js"
};
static const unsigned char shaders_js[] = {
#embed "viewer/shaders.js"
};
static const unsigned char sharederrors_js[] = {
#embed "viewer/sharederrors.js"
};
static const unsigned char shortcuts_js[] = {
#embed "viewer/shortcuts.js"
};
static const unsigned char snapshot_js[] = {
#embed "viewer/snapshot.js"
};
static const unsigned char space_css[] = {
#embed "viewer/space.css"
};
static const unsigned char space_js[] = {
#embed "viewer/space.js"
};
static const unsigned char spacelegend_js[] = {
#embed "viewer/spacelegend.js"
};
static const unsigned char spacemarks_js[] = {
#embed "viewer/spacemarks.js"
};
static const unsigned char spacetools_js[] = {
#embed "viewer/spacetools.js"
};
static const unsigned char stage_css[] = {
#embed "viewer/stage.css"
};
static const unsigned char stage_js[] = {
#embed "viewer/stage.js"
};
static const unsigned char stream_js[] = {
#embed "viewer/stream.js"
};
static const unsigned char surfacepage_js[] = {
#embed "viewer/surfacepage.js"
};
static const unsigned char surfaceview_js[] = {
#embed "viewer/surfaceview.js"
};
static const unsigned char symmetric3_js[] = {
#embed "viewer/symmetric3.js"
};
static const unsigned char theme_css[] = {
#embed "viewer/theme.css"
};
static const unsigned char theme_js[] = {
#embed "viewer/theme.js"
};
static const unsigned char timeline_js[] = {
#embed "viewer/timeline.js"
};
static const unsigned char transform_js[] = {
#embed "viewer/transform.js"
};
static const unsigned char vectors_js[] = {
#embed "viewer/vectors.js"
};
static const unsigned char verdict_js[] = {
#embed "viewer/verdict.js"
};
static const unsigned char viewer_css[] = {
#embed "viewer/viewer.css"
};
static const unsigned char viewer_html[] = {
#embed "viewer/viewer.html"
};
static const unsigned char viewer_js[] = {
#embed "viewer/viewer.js"
};
static const unsigned char viewerpage_js[] = {
#embed "viewer/viewerpage.js"
};
static const unsigned char viewlink_js[] = {
#embed "viewer/viewlink.js"
};

#define PLB_FILE(name, bytes) {name, {bytes, sizeof bytes}}

static const struct {
  const char *name;
  plumbline_asset asset;
} files[] = {
    PLB_FILE("alarm.js", alarm_js),
    PLB_FILE("banners.js", banners_js),
    PLB_FILE("base64.js", base64_js),
    PLB_FILE("cameras.js", cameras_js),
    PLB_FILE("catalog.js", catalog_js),
    PLB_FILE("checkpanel.js", checkpanel_js),
    PLB_FILE("clients.js", clients_js),
    PLB_FILE("clipbox.js", clipbox_js),
    PLB_FILE("cliphandles.js", cliphandles_js),
    PLB_FILE("cloud.js", cloud_js),
    PLB_FILE("cloudmarks.js", cloudmarks_js),
    PLB_FILE("cloudpick.js", cloudpick_js),
    PLB_FILE("cloudprogram.js", cloudprogram_js),
    PLB_FILE("cloudtextures.js", cloudtextures_js),
    PLB_FILE("colormaps.js", colormaps_js),
    PLB_FILE("depthrange.js", depthrange_js),
    PLB_FILE("depthranks.js", depthranks_js),
    PLB_FILE("details.js", details_js),
    PLB_FILE("effects.js", effects_js),
    PLB_FILE("element.js", element_js),
    PLB_FILE("expressions.js", expressions_js),
    PLB_FILE("face.css", face_css),
    PLB_FILE("face.html", face_html),
    PLB_FILE("facepage.js", facepage_js),
    PLB_FILE("faces.js", faces_js),
    PLB_FILE("facetables.js", facetables_js),
    PLB_FILE("figures.css", figures_css),
    PLB_FILE("figures.html", figures_html),
    PLB_FILE("figures.js", figures_js),
    PLB_FILE("findings.js", findings_js),
    PLB_FILE("frame.js", frame_js),
    PLB_FILE("framecache.js", framecache_js),
    PLB_FILE("framecolor.js", framecolor_js),
    PLB_FILE("framemap.js", framemap_js),
    PLB_FILE("gallery.js", gallery_js),
    PLB_FILE("gestures.js", gestures_js),
    PLB_FILE("headlegend.js", headlegend_js),
    PLB_FILE("headmarks.js", headmarks_js),
    PLB_FILE("headmesh.js", headmesh_js),
    PLB_FILE("headruler.js", headruler_js),
    PLB_FILE("headshaders.js", headshaders_js),
    PLB_FILE("headview.js", headview_js),
    PLB_FILE("hevcdecoder.js", hevcdecoder_js),
    PLB_FILE("homeview.js", homeview_js),
    PLB_FILE("imagepane.js", imagepane_js),
    PLB_FILE("imageview.js", imageview_js),
    PLB_FILE("item.js", item_js),
    PLB_FILE("livepanel.js", livepanel_js),
    PLB_FILE("livestream.js", livestream_js),
    PLB_FILE("loupe.js", loupe_js),
    PLB_FILE("maplayers.js", maplayers_js),
    PLB_FILE("mapquantity.js", mapquantity_js),
    PLB_FILE("marks.js", marks_js),
    PLB_FILE("measurement.js", measurement_js),
    PLB_FILE("navigation.js", navigation_js),
    PLB_FILE("orbit.js", orbit_js),
    PLB_FILE("orientation.js", orientation_js),
    PLB_FILE("overlay.js", overlay_js),
    PLB_FILE("pilot.js", pilot_js),
    PLB_FILE("player.js", player_js),
    PLB_FILE("probe.js", probe_js),
    PLB_FILE("profile.js", profile_js),
    PLB_FILE("profileplot.js", profileplot_js),
    PLB_FILE("proximity.js", proximity_js),
    PLB_FILE("quantity.js", quantity_js),
    PLB_FILE("rangecontrols.js", rangecontrols_js),
    PLB_FILE("region.js", region_js),
    PLB_FILE("report.css", report_css),
    PLB_FILE("report.html", report_html),
    PLB_FILE("report.js", report_js),
    PLB_FILE("resultcolumns.js", resultcolumns_js),
    PLB_FILE("resultdetails.js", resultdetails_js),
    PLB_FILE("resultfigures.js", resultfigures_js),
    PLB_FILE("resultquery.js", resultquery_js),
    PLB_FILE("results.css", results_css),
    PLB_FILE("results.html", results_html),
    PLB_FILE("resultspage.js", resultspage_js),
    PLB_FILE("resultsummary.js", resultsummary_js),
    PLB_FILE("resulttable.js", resulttable_js),
    PLB_FILE("resultwords.js", resultwords_js),
    PLB_FILE("ruler.js", ruler_js),
    PLB_FILE("scan.css", scan_css),
    PLB_FILE("scan.html", scan_html),
    PLB_FILE("scanmesh.js", scanmesh_js),
    PLB_FILE("scanpage.js", scanpage_js),
    PLB_FILE("scanruler.js", scanruler_js),
    PLB_FILE("scanshaders.js", scanshaders_js),
    PLB_FILE("scanstatus.js", scanstatus_js),
    PLB_FILE("scanview.js", scanview_js),
    PLB_FILE("scene.js", scene_js),
    PLB_FILE("selection.js", selection_js),
    PLB_FILE("session.js", session_js),
    PLB_FILE("shaders.js", shaders_js),
    PLB_FILE("sharederrors.js", sharederrors_js),
    PLB_FILE("shortcuts.js", shortcuts_js),
    PLB_FILE("snapshot.js", snapshot_js),
    PLB_FILE("space.css", space_css),
    PLB_FILE("space.js", space_js),
    PLB_FILE("spacelegend.js", spacelegend_js),
    PLB_FILE("spacemarks.js", spacemarks_js),
    PLB_FILE("spacetools.js", spacetools_js),
    PLB_FILE("stage.css", stage_css),
    PLB_FILE("stage.js", stage_js),
    PLB_FILE("stream.js", stream_js),
    PLB_FILE("surfacepage.js", surfacepage_js),
    PLB_FILE("surfaceview.js", surfaceview_js),
    PLB_FILE("symmetric3.js", symmetric3_js),
    PLB_FILE("theme.css", theme_css),
    PLB_FILE("theme.js", theme_js),
    PLB_FILE("timeline.js", timeline_js),
    PLB_FILE("transform.js", transform_js),
    PLB_FILE("vectors.js", vectors_js),
    PLB_FILE("verdict.js", verdict_js),
    PLB_FILE("viewer.css", viewer_css),
    PLB_FILE("viewer.html", viewer_html),
    PLB_FILE("viewer.js", viewer_js),
    PLB_FILE("viewerpage.js", viewerpage_js),
    PLB_FILE("viewlink.js", viewlink_js),
};

plumbline_asset plumbline_viewer_file(const char *name) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].name, name) == 0) return files[i].asset;
  }
  return (plumbline_asset){NULL, 0};
}
