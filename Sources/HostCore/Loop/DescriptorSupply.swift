internal import CSystem
internal import Suites

/// The limit of open descriptors.
public enum DescriptorSupply {
    /// The number of descriptors that the host must be able to open: 10 for itself, 7 for a suite and 9 to start an
    /// extension.
    private static let needed: Int32 = 26

    /// Raises the limit as far as the system allows, and checks that it is high enough.
    ///
    /// Must be called after the standard descriptors exist and before anything else is opened.
    ///
    /// - Returns: Why the host cannot start; nil if it can.
    public static func prepare() -> String? {
        csystem_raise_descriptor_limit()
        guard csystem_can_open(needed) == 1 else {
            return "the host opens up to \(needed) files besides those that are open now, and the limit of open files "
                + "is \(csystem_descriptor_limit()); raise it (ulimit -n)"
        }
        SuiteStore.reserveDescriptors()
        return nil
    }
}
