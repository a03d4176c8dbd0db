import CoreLocation
import Foundation
import MobileCoreServices
import PhoneRuntime
import Testing

/// Small modules, whose functions an extension calls while it prepares its view.
@MainActor
struct SmallModulesTests {
    @Test(.timeLimit(.minutes(1))) func aPlaceIsRefused() async throws {
        final class Owner: CLLocationManagerDelegate {
            var answer: CheckedContinuation<any Error, Never>?
            func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
                answer.take()?.resume(returning: error)
            }
        }
        let (owner, manager) = (Owner(), CLLocationManager())
        manager.delegate = owner
        let error = await withCheckedContinuation { answer in
            owner.answer = answer
            manager.startUpdatingLocation()
        }
        #expect((error as? CLError)?.code == .denied)
        #expect(manager.authorizationStatus == .denied && manager.location == nil)
    }

    @Test func theTypeOfAFileFollowsFromItsName() {
        func type(_ tag: CFString, of tagClass: CFString) -> String? {
            UTTypeCreatePreferredIdentifierForTag(tagClass, tag, nil)?.takeRetainedValue() as String?
        }
        #expect(type("mp4", of: kUTTagClassFilenameExtension) == "public.mpeg-4")
        #expect(type("image/png", of: kUTTagClassMIMEType) == "public.png")
    }
}
