public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs.
    ///
    /// The limit is far above any test's duration, because the time counts while others run.
    public static var hangs: Self { .timeLimit(.minutes(15)) }
}
