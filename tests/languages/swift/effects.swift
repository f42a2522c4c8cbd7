import Alamofire // => import Alamofire:*
import GRDB // => import GRDB:*
import Foundation // => import Foundation:*
import os // => import os:*

final class Files { // => def class Files
    private let manager = FileManager.default // => read *.FileManager.default
    private let session: URLSession = .shared // => type *.URLSession
    let log = Logger(subsystem: "a", category: "b") // => call *.Logger

    func run(data: Data, context: NSManagedObjectContext) async throws { // => def method Files.run; type *.Data; type *.NSManagedObjectContext
        if manager.fileExists(atPath: "x") { return } // => call *.FileManager.default.fileExists; effect file_io Foundation.FileManager.fileExists
        try FileManager.default.removeItem(atPath: "x") // => call *.FileManager.default.removeItem; effect file_io Foundation.FileManager.removeItem
        _ = try Data(contentsOf: url) // => call *.Data.contentsOf; effect file_io Foundation.Data.contentsOf; read *.url
        _ = Data(count: 3) // => call *.Data.count
        try data.write(to: url) // => call *.Data().write; effect file_io Foundation.Data.write
        let text = try String(contentsOf: url, encoding: .utf8) // => call *.String.contentsOf; effect file_io Foundation.String.contentsOf
        print(text) // => call *.print; effect logging Swift.print
        let (body, _) = try await session.data(from: url) // => call *.URLSession().data; effect network Foundation.URLSession.data
        URLSession.shared.dataTask(with: url) { _, _, _ in }.resume() // => call *.URLSession.shared.dataTask; effect network Foundation.URLSession.dataTask; call *.URLSession.shared.dataTask().resume; effect network Foundation.URLSessionTask.resume
        AF.request("u").response { _ in } // => call *.AF.request; effect network Alamofire.AF.request; call *.AF.request().response; effect network Alamofire.DataRequest.response
        let task = Process() // => call *.Process
        try task.run() // => call *.Process().run; effect subprocess Foundation.Process.run
        try context.save() // => call *.NSManagedObjectContext().save; effect database CoreData.NSManagedObjectContext.save
        let queue = try DatabaseQueue(path: "db") // => call *.DatabaseQueue; effect database GRDB.DatabaseQueue
        try queue.read { db in db } // => call *.DatabaseQueue().read; effect database GRDB.DatabaseQueue.read
        UserDefaults.standard.set(1, forKey: "k") // => call *.UserDefaults.standard.set; effect file_io Foundation.UserDefaults.set
        let cache = NSCache<NSString, Page>() // => call *.NSCache; type *.NSString; type *.Page
        cache.removeAllObjects() // => call *.NSCache().removeAllObjects; effect cache Foundation.NSCache.removeAllObjects
        _ = ProcessInfo.processInfo.environment["HOME"] // => read *.ProcessInfo.processInfo.environment; effect env Foundation.ProcessInfo.environment
        _ = Date() // => call *.Date; effect clock Foundation.Date
        _ = Date(timeIntervalSince1970: 0) // => call *.Date.timeIntervalSince1970
        _ = Int.random(in: 0 ..< 3) // => call *.Int.random; effect random Swift.Int.random
        _ = UUID() // => call *.UUID; effect random Foundation.UUID
        log.info("x") // => call *.Logger().info; effect logging os.Logger.info
    }
}
