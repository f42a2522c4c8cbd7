import Fluent  // => import Fluent:*
import Foundation  // => import Foundation:*
import PathKit  // => import PathKit:*
import SwiftUI  // => import SwiftUI:*

extension Process {  // => def extension Process; read *.Process
    func start() {  // => def method Process.start
        run()  // => call Process.run; effect subprocess Foundation.Process.run
        interrupt(1)  // => call Process.interrupt
    }
    func interrupt(_ code: Int) {}  // => def method Process.interrupt; type *.Int
}

extension Unheard {  // => def extension Unheard; read *.Unheard
    func start() { run() }  // => call *.run; def method Unheard.start
}

final class Package: Model, Content {  // => base *.Content; base *.Model; def class Package
    func keep(on db: Database) async throws {  // => def method Package.keep; type *.Database
        try await self.save(on: db)  // => call Package.save; effect database Fluent.Model.save
        let found = try await Package.query(on: db).filter(by: 1).all()  // => call Package.query; call Package.query().filter; call Package.query().filter().all; effect database FluentKit.QueryBuilder.all
        let built = Package.query(on: db)
    }
}

struct Place {  // => def struct Place
    let base: PathKit.Path  // => type *.PathKit.Path
    @Environment(\.modelContext) private var context  // => call *.Environment
    @Environment(\.colorScheme) private var scheme

    func look(at child: PathKit.Path) throws {  // => def method Place.look; type *.PathKit.Path
        if !(base + child).exists { return }  // => effect file_io PathKit.Path.exists; read *.PathKit.Path().+().exists
        for each in try base.children() { try each.delete() }  // => call *.PathKit.Path().children; call *.PathKit.Path().children()[].delete; effect file_io PathKit.Path.children; effect file_io PathKit.Path.delete
        context.insert(child)  // => call *.modelContext.insert; effect database SwiftData.ModelContext.insert
        scheme.insert(child)  // => call *.colorScheme.insert
        let text = "a"
        try text.write(to: url, atomically: true, encoding: .utf8)  // => call *.String().write; effect file_io Foundation.String.write; read *.url
        try JSONEncoder().encode(text).write(to: url)  // => call *.JSONEncoder; call *.JSONEncoder().encode; call *.JSONEncoder().encode().write; effect file_io Foundation.Data.write
        if Foundation.FileManager.default.fileExists(atPath: text) {}  // => call *.Foundation.FileManager.default.fileExists; effect file_io Foundation.FileManager.fileExists
    }
}
