using System.IO; // => import System.IO:*
using static System.Math; // => import System.Math:*
using Json = Newtonsoft.Json.JsonConvert; // => import Newtonsoft.Json.JsonConvert as Json
global using Acme.Core; // => import Acme.Core:* (global)

namespace Acme.App;

/// <summary>Keeps connections.</summary>
[Serializable] // => def class Pool; read *.Serializable
public sealed partial class Pool<T> : BasePool<T>, IPool where T : class // => base *.BasePool; base IPool
{
    private readonly IRepo _repo; // => def variable Pool._repo; read *.IRepo
    public const int Max = 3, Min = 1; // => def variable Pool.Max; def variable Pool.Min
    public event EventHandler Changed; // => def variable Pool.Changed; read *.EventHandler
    public int Size { get; set; } = Max; // => def variable Pool.Size
    public string Name => _repo.Name; // => def variable Pool.Name; read *.IRepo().Name

    public Pool(IRepo repo) : base(repo) // => def method Pool.Pool; call Pool.<super>; read *.IRepo
    {
        _repo = repo; // => write Pool._repo
        this.Size = 2; // => write Pool.Size
    }

    public async Task<Item> RunAsync<U>(int n, IReadOnlyList<Item> items) // => def method Pool.RunAsync; read *.Task; call+read *.Item; read *.IReadOnlyList
    {
        var made = new Item(n);
        Order order = new(); // => read *.Order
        order.Ship(made); // => call *.Order().Ship
        using var file = File.OpenRead("a"); // => call *.File.OpenRead; effect file_io System.IO.File.OpenRead
        await _repo.SaveAsync(made); // => call *.IRepo().SaveAsync
        foreach (var item in items)
        {
            item.Go(); // => call *.Item().Go
        }
        if (order is Rush rush && rush.Ok) // => read *.Rush; read *.Rush().Ok
            rush.Hurry(); // => call *.Rush().Hurry
        Func<int, int> next = a => a + Min; // => read *.Func
        int Twice(int q) { return q * Max; } // => def function Pool.RunAsync.Twice
        var (x, y) = Pair(); // => call *.Pair
        Size += Twice(x); // => write Pool.Size; call Pool.RunAsync.Twice
        Console.WriteLine($"{Json.SerializeObject(y)} File.Delete(\"z\")"); // => call *.Console.WriteLine; call Newtonsoft.Json.JsonConvert.SerializeObject; effect ui System.Console.WriteLine
        var names = from c in order.Lines where c.Ok select c.Name; // => read *.Order().Lines
        Helper(name: 1, names); // => call Pool.Helper
        return base.Find<Item>(nameof(Size)); // => call Pool.<super>.Find
    }

    private static DateTime Helper(int name, object value) => DateTime.UtcNow; // => def method Pool.Helper; read *.DateTime; read *.DateTime.UtcNow; effect clock System.DateTime.UtcNow

    public delegate void Handler(Item item); // => def type Pool.Handler; read *.Item

    private class Nested { } // => def class Pool.Nested
}

public record Point(int X, int Y) : Shape // => def class Point; def variable Point.X; def variable Point.Y; base *.Shape
{
    public int Z { get; init; } // => def variable Point.Z
}

public interface IPool { int Size { get; } void Run(); } // => def interface IPool; def variable IPool.Size; def method IPool.Run

public enum Mode { Fast, Slow = 2 } // => def enum Mode; def variable Mode.Fast; def variable Mode.Slow

public class Service(IRepo repo, ILogger<Service> log) : Base(repo) // => def class Service; base *.Base; read *.IRepo; read *.ILogger; read Service
{
    public void Go() // => def method Service.Go
    {
        repo.Save(new Point(1, 2) { Z = 3 }); // => call *.IRepo().Save; call Point
        log.LogInformation("x"); // => call *.ILogger().LogInformation
#region Mode Fast
        Run(Mode.Fast, Missing); // => call *.Run; read Mode.Fast; read *.Missing
#endregion
    }
}

public static class PoolExtensions // => def class PoolExtensions
{
    public static int Twice(this IPool pool, int n) => pool.Size * n; // => def method PoolExtensions.Twice; read IPool; read IPool.Size
}
