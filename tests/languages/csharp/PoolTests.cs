using Xunit; // => import Xunit:*

namespace Acme.App.Tests // => def namespace Acme.App.Tests
{
    public class PoolTests // => def class Acme.App.Tests.PoolTests
    {
        private readonly Mock<IRepo> _repo = new(); // => def variable Acme.App.Tests.PoolTests._repo; read *.Mock; read *.IRepo

        [Fact] // => def method Acme.App.Tests.PoolTests.Grows; read *.Fact
        public void Grows() => Assert.Equal(1, new Pool(_repo.Object).Size); // => call *.Assert.Equal; call *.Pool; read *.Pool().Size; read *.Mock().Object

        [Theory, InlineData(1)] // => def method Acme.App.Tests.PoolTests.Shrinks; read *.Theory; call *.InlineData
        public async Task Shrinks(int by) // => read *.Task
        {
            var pool = (Pool)Make(by); // => call *.Make; read *.Pool
            pool?.Shrink(); // => call *.Pool().Shrink
        }
    }
}
