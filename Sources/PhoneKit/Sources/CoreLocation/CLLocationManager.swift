// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Apple's declarations, which its documentation describes.

import Dispatch
public import Foundation

public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// Asks for places, of which there are none: nobody has permitted it, and an extension may not ask.
open class CLLocationManager: NSObject, @unchecked Sendable {
    open weak var delegate: (any CLLocationManagerDelegate)?
    open var desiredAccuracy = kCLLocationAccuracyBest
    open var distanceFilter: CLLocationDistance = -1
    open var authorizationStatus: CLAuthorizationStatus { .denied }
    open var location: CLLocation? { nil }

    public override init() {}
    open class func locationServicesEnabled() -> Bool { true }
    open class func authorizationStatus() -> CLAuthorizationStatus { .denied }
    open func requestWhenInUseAuthorization() {}
    open func requestAlwaysAuthorization() {}
    open func startUpdatingLocation() { requestLocation() }
    open func stopUpdatingLocation() {}
    open func requestLocation() {
        DispatchQueue.main.async { [self] in delegate?.locationManager(self, didFailWithError: CLError(.denied)) }
    }
}

public protocol CLLocationManagerDelegate: AnyObject {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
}

public struct CLError: Error, Equatable, Sendable {
    public enum Code: Int, Sendable {
        case locationUnknown, denied, network
    }
    public let code: Code
    public init(_ code: Code) { self.code = code }
    public static var locationUnknown: Code { .locationUnknown }
    public static var denied: Code { .denied }
    public static var network: Code { .network }
}
