public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    ///
    /// The limit is far above any test's duration, because a test's time also passes while other tests run.
    public static var hangs: Self { .timeLimit(.minutes(15)) }
}
