// This draft is in no target.
let draft: NoSuchType = 1
