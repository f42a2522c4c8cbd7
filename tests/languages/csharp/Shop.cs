using System.Linq;  // => import System.Linq:*
using System.Threading.Tasks;  // => import System.Threading.Tasks:*
using Microsoft.EntityFrameworkCore;  // => import Microsoft.EntityFrameworkCore:*

namespace Acme.Shop;

public class ShopContext : DbContext  // => base *.DbContext; def class ShopContext
{
    public DbSet<Item> Items { get; set; } = null!;  // => def variable ShopContext.Items; read *.DbSet; read Item
}

public class Item  // => def class Item
{
    public int Id { get; set; }  // => def variable Item.Id
}

public class ItemStore(ShopContext shop)  // => def class ItemStore; read ShopContext
{
    public async Task<Item?> Find(int id, IQueryable<Item> all, Unheard other)  // => def method ItemStore.Find; read *.IQueryable; read *.Task; read *.Unheard; read Item
    {
        var some = await shop.Items.Include(x => x.Id).Where(x => x.Id == id).ToListAsync();  // => call *.DbSet().Include; call *.DbSet().Include().Where; call *.DbSet().Include().Where().ToListAsync; effect database Microsoft.EntityFrameworkCore.DbSet.ToListAsync; read ShopContext.Items
        var built = shop.Items.Where(x => x.Id == id);  // => call *.DbSet().Where
        await all.OrderBy(x => x.Id).AnyAsync();  // => call *.IQueryable().OrderBy; call *.IQueryable().OrderBy().AnyAsync; effect database System.Linq.IQueryable.AnyAsync
        await other.OrderBy(1).AnyAsync();  // => call *.Unheard().OrderBy; call *.Unheard().OrderBy().AnyAsync
        return await built.FirstOrDefaultAsync();  // => call *.DbSet().Where().FirstOrDefaultAsync; effect database Microsoft.EntityFrameworkCore.DbSet.FirstOrDefaultAsync
    }
}
