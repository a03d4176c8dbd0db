public import Testing

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs: far beyond what any test takes, since the time counts while others run.
    public static var hangs: Self { .timeLimit(.minutes(15)) }
}
