#include "CPreview.h"

#include <string.h>

/* #embed is C23; clang accepts it in gnu2x too, with a warning. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char html[] = {
#embed "page/preview.html"
};

static const unsigned char style[] = {
#embed "page/preview.css"
};

static const unsigned char editor_style[] = {
#embed "page/editor.css"
};

static const unsigned char stage_style[] = {
#embed "page/stage.css"
};

static const unsigned char timeline_style[] = {
#embed "page/timeline.css"
};

static const unsigned char page[] = {
#embed "page/page.js"
};

static const unsigned char preview[] = {
#embed "page/preview.js"
};

static const unsigned char editor[] = {
#embed "page/editor.js"
};

static const unsigned char json[] = {
#embed "page/json.js"
};

static const unsigned char code[] = {
#embed "page/code.js"
};

static const unsigned char language[] = {
#embed "page/language.js"
};

static const unsigned char files_script[] = {
#embed "page/files.js"
};

static const unsigned char stage[] = {
#embed "page/stage.js"
};

static const unsigned char phone[] = {
#embed "page/phone.js"
};

static const unsigned char timeline[] = {
#embed "page/timeline.js"
};

static const struct cpreview_file files[] = {
    {"", "text/html", html, sizeof html},
    {"preview.css", "text/css", style, sizeof style},
    {"editor.css", "text/css", editor_style, sizeof editor_style},
    {"stage.css", "text/css", stage_style, sizeof stage_style},
    {"timeline.css", "text/css", timeline_style, sizeof timeline_style},
    {"page.js", "text/javascript", page, sizeof page},
    {"preview.js", "text/javascript", preview, sizeof preview},
    {"editor.js", "text/javascript", editor, sizeof editor},
    {"json.js", "text/javascript", json, sizeof json},
    {"code.js", "text/javascript", code, sizeof code},
    {"language.js", "text/javascript", language, sizeof language},
    {"files.js", "text/javascript", files_script, sizeof files_script},
    {"stage.js", "text/javascript", stage, sizeof stage},
    {"phone.js", "text/javascript", phone, sizeof phone},
    {"timeline.js", "text/javascript", timeline, sizeof timeline},
};

const struct cpreview_file *cpreview_file(const char *name) {
    for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
        if (strcmp(files[index].name, name) == 0) return &files[index];
    }
    return NULL;
}
