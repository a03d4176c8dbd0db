internal import Calls
internal import JSONRPC
internal import Records

extension MethodTable<HostMethod> {
    /// Adds the methods that import and export the property list of an App Group.
    mutating func addPropertyListMethods(_ lists: PropertyListService, _ suites: SuiteService) {
        add("importSuite", ["suite?", "path"], .changeSuite, prepare: suites.setSuite) { call in
            try lists.importSuite(call)
        }
        add("exportSuite", ["suite?", "path", "format?"], .readSuite, prepare: suites.setSuite) { call in
            try lists.exportSuite(call)
        }
    }
}
