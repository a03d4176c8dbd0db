internal import JSONRPC

extension MethodTable<HostMethod> {
    /// The methods that take an App Group's property list in and write one.
    mutating func addPropertyListMethods(_ lists: PropertyListService, _ suites: SuiteService) {
        add("importSuite", ["suite?", "path"], .changeSuite, prepare: suites.find) { call in
            try lists.importSuite(call)
        }
        add("exportSuite", ["suite?", "path", "format?"], .readSuite, prepare: suites.find) { call in
            try lists.exportSuite(call)
        }
    }
}
