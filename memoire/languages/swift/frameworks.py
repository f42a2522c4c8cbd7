"""The modules that come with Swift and with the systems of Apple."""

from memoire.extract.suffixes import word_set

FRAMEWORKS = word_set("""
    Swift Foundation FoundationNetworking FoundationXML FoundationEssentials FoundationInternationalization Dispatch os
    OSLog Darwin Glibc Musl Bionic Android WinSDK CRT WASILibc XCTest Testing Observation Synchronization RegexBuilder
    Distributed Cxx CxxStdlib ObjectiveC CoreFoundation Builtin SwiftShims simd Accelerate vDSP Compression
    _Concurrency _StringProcessing _Differentiation PackageDescription PackagePlugin StdlibUnittest
    SwiftUI UIKit AppKit Cocoa WatchKit WidgetKit ActivityKit AppIntents TipKit Charts Combine OpenCombine SwiftData
    CoreData CloudKit CoreGraphics CoreImage CoreText CoreMedia CoreVideo CoreAudio CoreAudioKit CoreMIDI CoreML
    CreateML CreateMLComponents CoreLocation CoreLocationUI CoreMotion CoreBluetooth CoreNFC CoreTelephony CoreHaptics
    CoreServices CoreSpotlight CoreTransferable CoreWLAN QuartzCore ImageIO Vision VisionKit NaturalLanguage Speech
    SoundAnalysis Translation AVFoundation AVFAudio AVKit AudioToolbox AudioUnit MediaPlayer MediaAccessibility Photos
    PhotosUI PencilKit PDFKit QuickLook QuickLookUI QuickLookThumbnailing LinkPresentation MapKit Messages MessageUI
    Contacts ContactsUI EventKit EventKitUI HealthKit HealthKitUI HomeKit Intents IntentsUI UserNotifications
    UserNotificationsUI PushKit CallKit PassKit StoreKit StoreKitTest GameKit GameController GameplayKit SpriteKit
    SceneKit ARKit RealityKit RealityFoundation RoomPlan Metal MetalKit MetalPerformanceShaders MetalFX ModelIO
    Network NetworkExtension MultipeerConnectivity NearbyInteraction ExternalAccessory SystemConfiguration WebKit
    SafariServices JavaScriptCore AuthenticationServices LocalAuthentication Security CryptoKit CryptoTokenKit
    CommonCrypto DeviceCheck AppTrackingTransparency AdSupport AdServices IOKit IOSurface DiskArbitration
    ServiceManagement EndpointSecurity SystemExtensions DriverKit USBDriverKit Virtualization Hypervisor
    UniformTypeIdentifiers MobileCoreServices BackgroundTasks BackgroundAssets ClockKit CarPlay ShazamKit
    MusicKit WeatherKit FinanceKit FamilyControls ManagedSettings DeviceActivity ScreenTime ScreenCaptureKit
    ReplayKit FileProvider FileProviderUI FinderSync Social Accounts AddressBook NotificationCenter iAd GLKit
    OpenGLES OpenGL OpenAL Carbon ApplicationServices Automator ScriptingBridge InputMethodKit OSAKit Quartz
    DeveloperToolsSupport ExtensionKit ExtensionFoundation Matter Spatial CompositorServices XPC SQLite3 zlib
    """)
"""Source: developer.apple.com/documentation/technologies and swift.org, Swift 6 and the systems of 2024."""
