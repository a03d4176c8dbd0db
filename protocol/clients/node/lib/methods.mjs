// Generated from protocol/openrpc.json by protocol/generate.py; do not edit.

export class Methods {
  didReceive(params, options) {
    return this.call("didReceive", params, options);
  }

  expand(params, options) {
    return this.call("expand", params, options);
  }

  didReceiveResponse(params, options) {
    return this.call("didReceiveResponse", params, options);
  }

  interact(params, options) {
    return this.call("interact", params, options);
  }

  mediaPlay(params, options) {
    return this.call("mediaPlay", params, options);
  }

  mediaPause(params, options) {
    return this.call("mediaPause", params, options);
  }

  advanceClock(params, options) {
    return this.call("advanceClock", params, options);
  }

  dismiss(params, options) {
    return this.call("dismiss", params, options);
  }

  notifications(params, options) {
    return this.call("notifications", params, options);
  }

  render(params, options) {
    return this.call("render", params, options);
  }

  checkPayload(params, options) {
    return this.call("checkPayload", params, options);
  }

  checkExtension(params, options) {
    return this.call("checkExtension", params, options);
  }

  setNotificationCategories(params, options) {
    return this.call("setNotificationCategories", params, options);
  }

  getNotificationCategories(params, options) {
    return this.call("getNotificationCategories", params, options);
  }

  saveCustomEvent(params, options) {
    return this.call("saveCustomEvent", params, options);
  }

  saveCustomAttribute(params, options) {
    return this.call("saveCustomAttribute", params, options);
  }

  saveUserAttribute(params, options) {
    return this.call("saveUserAttribute", params, options);
  }

  pending(params, options) {
    return this.call("pending", params, options);
  }

  flushPending(params, options) {
    return this.call("flushPending", params, options);
  }

  checkDestination(params, options) {
    return this.call("checkDestination", params, options);
  }

  deadLetters(params, options) {
    return this.call("deadLetters", params, options);
  }

  retryDeadLetters(params, options) {
    return this.call("retryDeadLetters", params, options);
  }

  discardDeadLetters(params, options) {
    return this.call("discardDeadLetters", params, options);
  }

  acknowledge(params, options) {
    return this.call("acknowledge", params, options);
  }

  store(params, options) {
    return this.call("store", params, options);
  }

  retrieve(params, options) {
    return this.call("retrieve", params, options);
  }

  removeObject(params, options) {
    return this.call("removeObject", params, options);
  }

  resetStorageKeys(params, options) {
    return this.call("resetStorageKeys", params, options);
  }

  suites(params, options) {
    return this.call("suites", params, options);
  }

  importSuite(params, options) {
    return this.call("importSuite", params, options);
  }

  exportSuite(params, options) {
    return this.call("exportSuite", params, options);
  }

  backUpSuite(params, options) {
    return this.call("backUpSuite", params, options);
  }

  ping(params, options) {
    return this.call("ping", params, options);
  }

  status(params, options) {
    return this.call("status", params, options);
  }

  extensions(params, options) {
    return this.call("extensions", params, options);
  }

  reloadExtensions(params, options) {
    return this.call("reloadExtensions", params, options);
  }

  subscribe(params, options) {
    return this.call("subscribe", params, options);
  }

  rpcDiscover(params, options) {
    return this.call("rpc.discover", params, options);
  }

  shutdown(params, options) {
    return this.call("shutdown", params, options);
  }

  cancelRequest(params, options) {
    return this.call("$/cancelRequest", params, options);
  }
}
