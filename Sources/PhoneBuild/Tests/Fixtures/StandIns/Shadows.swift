import PhoneRuntime

typealias UserDefaults = PhoneRuntime.StandInDefaults
