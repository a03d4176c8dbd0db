// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

public import Foundation
import PhoneRuntime

// Changes are made at once; what an animation has is kept from the compiler only.

public struct Animation: Hashable, Sendable {
    public static let `default` = Animation()
    public static let linear = Animation()
    public static let easeIn = Animation()
    public static let easeOut = Animation()
    public static let easeInOut = Animation()
    public static let spring = Animation()
    public static let interactiveSpring = Animation()
    public static let smooth = Animation()
    public static let snappy = Animation()
    public static let bouncy = Animation()
    public static func linear(duration: TimeInterval) -> Animation { .init() }
    public static func easeIn(duration: TimeInterval) -> Animation { .init() }
    public static func easeOut(duration: TimeInterval) -> Animation { .init() }
    public static func easeInOut(duration: TimeInterval) -> Animation { .init() }
    public static func timingCurve(
        _ p1x: Double,
        _ p1y: Double,
        _ p2x: Double,
        _ p2y: Double,
        duration: TimeInterval = 0.35
    ) -> Animation { .init() }
    @_disfavoredOverload
    public static func spring(
        response: Double = 0.5,
        dampingFraction: Double = 0.825,
        blendDuration: TimeInterval = 0
    ) -> Animation { .init() }
    public static func spring(
        duration: TimeInterval = 0.5,
        bounce: Double = 0,
        blendDuration: Double = 0
    ) -> Animation { .init() }
    public static func interactiveSpring(
        response: Double = 0.15,
        dampingFraction: Double = 0.86,
        blendDuration: TimeInterval = 0.25
    ) -> Animation { .init() }
    public static func interpolatingSpring(
        mass: Double = 1,
        stiffness: Double,
        damping: Double,
        initialVelocity: Double = 0
    ) -> Animation { .init() }
    public static func smooth(duration: TimeInterval = 0.5, extraBounce: Double = 0) -> Animation { .init() }
    public static func snappy(duration: TimeInterval = 0.5, extraBounce: Double = 0) -> Animation { .init() }
    public static func bouncy(duration: TimeInterval = 0.5, extraBounce: Double = 0) -> Animation { .init() }
    public func delay(_ delay: TimeInterval) -> Animation { self }
    public func speed(_ speed: Double) -> Animation { self }
    public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation { self }
    public func repeatForever(autoreverses: Bool = true) -> Animation { self }
}

public struct Transaction: Sendable {
    public var animation: Animation?
    public var disablesAnimations = false
    public init() {}
    public init(animation: Animation?) { self.animation = animation }
}

public struct AnimationCompletionCriteria: Hashable, Sendable {
    public static let logicallyComplete = AnimationCompletionCriteria()
    public static let removed = AnimationCompletionCriteria()
}

public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

/// The completion is called in the next turn of the main loop, as that of UIKit's animations.
public func withAnimation<Result>(
    _ animation: Animation? = .default,
    completionCriteria: AnimationCompletionCriteria = .logicallyComplete,
    _ body: () throws -> Result,
    completion: @escaping @MainActor @Sendable () -> Void
) rethrows -> Result {
    defer { MainQueue.add(completion) }
    return try body()
}

public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
    try body()
}

public struct AnyTransition: Sendable {
    public static let identity = AnyTransition()
    public static let opacity = AnyTransition()
    public static let scale = AnyTransition()
    public static let slide = AnyTransition()
    public static func scale(scale: CGFloat, anchor: UnitPoint = .center) -> AnyTransition { .init() }
    public static func move(edge: Edge) -> AnyTransition { .init() }
    public static func push(from edge: Edge) -> AnyTransition { .init() }
    public static func offset(_ offset: CGSize) -> AnyTransition { .init() }
    public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> AnyTransition { .init() }
    public static func asymmetric(insertion: AnyTransition, removal: AnyTransition) -> AnyTransition { .init() }
    public func combined(with other: AnyTransition) -> AnyTransition { self }
    public func animation(_ animation: Animation?) -> AnyTransition { self }
}

public struct ContentTransition: Hashable, Sendable {
    public static let identity = ContentTransition()
    public static let opacity = ContentTransition()
    public static let interpolate = ContentTransition()
    public static func numericText(countsDown: Bool = false) -> ContentTransition { .init() }
    public static func numericText(value: Double) -> ContentTransition { .init() }
}

extension View {
    public func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }
    public func animation(_ animation: Animation?) -> some View { self }
    public func transaction(_ transform: @escaping (inout Transaction) -> Void) -> some View { self }
    public func transition(_ t: AnyTransition) -> some View { self }
    public func contentTransition(_ transition: ContentTransition) -> some View { self }
    public func matchedGeometryEffect<ID: Hashable>(
        id: ID,
        in namespace: Namespace.ID,
        isSource: Bool = true
    ) -> some View { self }
    public func symbolEffect<T: SymbolEffect>(_ effect: T, isActive: Bool = true) -> some View { self }
    public func symbolEffect<T: SymbolEffect, U: Equatable>(_ effect: T, value: U) -> some View { self }
    public func sensoryFeedback<T: Equatable>(_ feedback: SensoryFeedback, trigger: T) -> some View { self }
}

public protocol SymbolEffect {}

public struct BounceSymbolEffect: SymbolEffect {}

public struct PulseSymbolEffect: SymbolEffect {}

extension SymbolEffect where Self == BounceSymbolEffect {
    public static var bounce: BounceSymbolEffect { .init() }
}

extension SymbolEffect where Self == PulseSymbolEffect {
    public static var pulse: PulseSymbolEffect { .init() }
}

public struct SensoryFeedback: Hashable, Sendable {
    public static let success = SensoryFeedback()
    public static let warning = SensoryFeedback()
    public static let error = SensoryFeedback()
    public static let selection = SensoryFeedback()
    public static let impact = SensoryFeedback()
}

/// A view that is drawn again as time passes.
public struct TimelineView<Schedule: TimelineSchedule, Content: View> {
    public struct Context {
        public let date: Date
    }

    private let schedule: Schedule
    private let content: (Context) -> Content
    public init(_ schedule: Schedule, @ViewBuilder content: @escaping (Context) -> Content) {
        (self.schedule, self.content) = (schedule, content)
    }
}

extension TimelineView: _PrimitiveView, Primitive {
    package func shown(in context: SwiftUI.Context) -> [UIView] {
        let now = MainClock.shared.now
        if let next = schedule.entries(from: now, mode: .normal).first(where: { $0 > now }) {
            context.graph.update(after: next.timeIntervalSince(now))
        }
        return content(Context(date: now)).views(in: context.child(0, Content.self))
    }
}

public enum TimelineScheduleMode: Hashable, Sendable {
    case normal, lowFrequency
}

public protocol TimelineSchedule {
    associatedtype Entries: Sequence where Entries.Element == Date
    func entries(from startDate: Date, mode: TimelineScheduleMode) -> Entries
}

public struct PeriodicTimelineSchedule: TimelineSchedule, Sendable {
    private let start: Date
    private let interval: TimeInterval
    public init(from startDate: Date, by interval: TimeInterval) { (start, self.interval) = (startDate, interval) }
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> [Date] {
        let passed = max(0, (startDate.timeIntervalSince(start) / interval).rounded(.down))
        return (0..<3).map { start + (passed + Double($0)) * interval }
    }
}

public struct EveryMinuteTimelineSchedule: TimelineSchedule, Sendable {
    public init() {}
    public func entries(from startDate: Date, mode: TimelineScheduleMode) -> [Date] {
        let minute = (startDate.timeIntervalSinceReferenceDate / 60).rounded(.down)
        return (0..<3).map { Date(timeIntervalSinceReferenceDate: (minute + Double($0)) * 60) }
    }
}

extension TimelineSchedule where Self == PeriodicTimelineSchedule {
    public static func periodic(from startDate: Date, by interval: TimeInterval) -> PeriodicTimelineSchedule {
        .init(from: startDate, by: interval)
    }
}

extension TimelineSchedule where Self == EveryMinuteTimelineSchedule {
    public static var everyMinute: EveryMinuteTimelineSchedule { .init() }
}
