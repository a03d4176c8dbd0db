#if canImport(Testing)
// A build with a static Swift runtime compiles this target too, and the toolchain has no Testing for it.
public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    ///
    /// The limit is above the duration of the whole suite on a slow machine, because the time of a test also passes while
    /// other tests run.
    public static var hangs: Self { .timeLimit(.minutes(40)) }
}
#endif
