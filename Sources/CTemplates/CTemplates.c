#include "CTemplates.h"

/* #embed is C23; clang accepts it in gnu2x too, with a warning. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char common_info_plist[] = {
#embed "../../plugins/kits/templates/common/Info.plist"
};

static const unsigned char common_my_coupon_executable_entitlements[] = {
#embed "../../plugins/kits/templates/common/my-coupon.executable.entitlements"
};

static const unsigned char common_payload_apns[] = {
#embed "../../plugins/kits/templates/common/payload.apns"
};

static const unsigned char common_session_jsonl[] = {
#embed "../../plugins/kits/templates/common/session.jsonl"
};

static const unsigned char python_gitignore[] = {
#embed "../../plugins/kits/templates/python/.gitignore"
};

static const unsigned char python_readme_md[] = {
#embed "../../plugins/kits/templates/python/README.md"
};

static const unsigned char python_my_coupon_py[] = {
#embed "../../plugins/kits/templates/python/my-coupon.py"
};

static const unsigned char node_readme_md[] = {
#embed "../../plugins/kits/templates/node/README.md"
};

static const unsigned char node_my_coupon_mjs[] = {
#embed "../../plugins/kits/templates/node/my-coupon.mjs"
};

static const unsigned char shell_readme_md[] = {
#embed "../../plugins/kits/templates/shell/README.md"
};

static const unsigned char shell_my_coupon_sh[] = {
#embed "../../plugins/kits/templates/shell/my-coupon.sh"
};

static const unsigned char swift_gitignore[] = {
#embed "../../plugins/kits/templates/swift/.gitignore"
};

static const unsigned char swift_package_swift[] = {
#embed "../../plugins/kits/templates/swift/Package.swift"
};

static const unsigned char swift_readme_md[] = {
#embed "../../plugins/kits/templates/swift/README.md"
};

static const unsigned char swift_sources_my_coupon_mycouponextension_swift[] = {
#embed "../../plugins/kits/templates/swift/Sources/my-coupon/MyCouponExtension.swift"
};

static const unsigned char python_pushhost_extension_py[] = {
#embed "../../plugins/kits/pushhost_extension.py"
};

static const unsigned char node_pushhost_extension_mjs[] = {
#embed "../../plugins/kits/pushhost-extension.mjs"
};

static const struct ctemplates_file files[] = {
    {"common/Info.plist", common_info_plist, sizeof common_info_plist},
    {"common/my-coupon.executable.entitlements", common_my_coupon_executable_entitlements, sizeof common_my_coupon_executable_entitlements},
    {"common/payload.apns", common_payload_apns, sizeof common_payload_apns},
    {"common/session.jsonl", common_session_jsonl, sizeof common_session_jsonl},
    {"python/.gitignore", python_gitignore, sizeof python_gitignore},
    {"python/README.md", python_readme_md, sizeof python_readme_md},
    {"python/my-coupon.py", python_my_coupon_py, sizeof python_my_coupon_py},
    {"node/README.md", node_readme_md, sizeof node_readme_md},
    {"node/my-coupon.mjs", node_my_coupon_mjs, sizeof node_my_coupon_mjs},
    {"shell/README.md", shell_readme_md, sizeof shell_readme_md},
    {"shell/my-coupon.sh", shell_my_coupon_sh, sizeof shell_my_coupon_sh},
    {"swift/.gitignore", swift_gitignore, sizeof swift_gitignore},
    {"swift/Package.swift", swift_package_swift, sizeof swift_package_swift},
    {"swift/README.md", swift_readme_md, sizeof swift_readme_md},
    {"swift/Sources/my-coupon/MyCouponExtension.swift", swift_sources_my_coupon_mycouponextension_swift, sizeof swift_sources_my_coupon_mycouponextension_swift},
    {"python/pushhost_extension.py", python_pushhost_extension_py, sizeof python_pushhost_extension_py},
    {"node/pushhost-extension.mjs", node_pushhost_extension_mjs, sizeof node_pushhost_extension_mjs},
};

const struct ctemplates_file *ctemplates_files(void) { return files; }

size_t ctemplates_count(void) { return sizeof files / sizeof *files; }
