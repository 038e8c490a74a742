import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const FILES = {
  'App.csproj': projectXml(`${CONSOLE}<AllowUnsafeBlocks>true</AllowUnsafeBlocks>`),
  'Money.cs': `namespace Shop;

public struct Money : IAdditionOperators<Money>
{
    public static Money operator +(Money a, Money b) => a;
    public static Money operator checked +(Money a, Money b) => a;
    public static Money operator +(Money a) => a;
    public static Money operator -(Money a, Money b) => a;
    public static Money operator -(Money a) => a;
    public static Money operator *(Money a, List<int> b) => a;
    public static Money operator *(Money a, Dictionary<int, List<int>> b) => a;
    public static Money operator ++(Money a) => a;
    public static Money operator <<(Money a, int b) => a;
    public static Money operator >>(Money a, int b) => a;
    public static Money operator >>>(Money a, int b) => a;
    public static bool operator <(Money a, Money b) => true;
    public static bool operator >(Money a, Money b) => true;
    public static bool operator <=(Money a, Money b) => true;
    public static bool operator >=(Money a, Money b) => true;
    public static bool operator true(Money a) => true;
    public static bool operator false(Money a) => true;
    public static bool operator !(Money a) => true;
    public void operator +=(Money a) { }
    public static implicit operator int(Money a) => 0;
    public static implicit operator int?(Money a) => 0;
    public static implicit operator int[](Money a) => [];
    public static implicit operator Money(int a) => new();
    public static implicit operator Money(List<Money> a) => new();
    public static implicit operator (int, string)(Money a) => (0, "");
    public static explicit operator byte(Money a) => 0;
    public static explicit operator checked byte(Money a) => 0;
    public static explicit operator List<(int, Money)>(Money a) => [];
    static Money IAdditionOperators<Money>.operator ~(Money a) => a;
}

public interface IAdditionOperators<T> where T : IAdditionOperators<T>
{
    static abstract T operator ~(T a);
}
`,
  'Cart.cs': `namespace Shop;

public unsafe class Cart : ICart<int>, ICart<Money>, Other.ICart<int>
{
    static Cart() { }
    public Cart() { }
    public Cart(int size) { }
    ~Cart() { }

    public int Set(int value) => 0;
    public int Set(ref int value) => 0;
    public int Set(int? value) => 0;
    public int Set(int[] value) => 0;
    public int Set(params int[][] value) => 0;
    public int Set(int[,] value) => 0;
    public int Set(Money[,] value) => 0;
    public int Set(int* value) => 0;
    public int Set(int** value) => 0;
    public int Set(delegate*<int, ref string, void> value) => 0;
    public int Set((int First, string Second) value) => 0;
    public int Set(out (int, string) value) { value = (0, ""); return 0; }
    public int Set((int, string) value, int other) => 0;
    public int Set(int other, (int, (string, Cart)) value) => 0;
    public int Set(in Money value) => 0;
    public int Set(scoped ref Span<int> value) => 0;
    public int Set(string? value) => 0;
    public int Set(dynamic value) => 0;
    public int Set(nint value) => 0;
    public int Set(Dictionary<int, List<string>> map, Func<Dictionary<int, int>, int> get) => 0;
    public int Set(Pair<int>.Inner<string> value) => 0;
    public int Get(ref readonly int value) => 0;
    public int Get(@int value) => 0;
    public int Get(int value) => 0;
    public T Set<T>(T value) => value;
    public T Set<T, U>(T value) => value;
    public T Set<T>(ref T value) => value;
    public T Set<T>(List<T>? value) where T : class => value![0];

    public int this[int index] => 0;
    public int this[int[] index] => 0;
    public int this[int? index] => 0;
    public int this[int* index] => 0;
    public int this[int a, string b] => 0;
    public int this[(int, string) a] => 0;
    public int this[Dictionary<int, string> a, in int b] => 0;

    public int Size { get; set; }
    public event Action? Changed;
    public event Action Moved { add { } remove { } }
    public const int Max = 1;
    public int @class, @event;
    public int @new(@class @this) => 0;
    public void Run() { void Local() { } Local(); }

    public int Count(int a) => 0;
    int ICart<int>.Count(int a) => 0;
    int ICart<Money>.Count(Money a) => 0;
    int Other.ICart<int>.Count(int a) => 0;
    int ICart<int>.Length => 0;
    int ICart<Money>.Length => 0;
    int Other.ICart<int>.Length => 0;
    int ICart<int>.this[int a] => 0;
    int ICart<Money>.this[int a] => 0;
    int Other.ICart<int>.this[int a] => 0;
    event Action ICart<int>.Paid { add { } remove { } }
    event Action ICart<Money>.Paid { add { } remove { } }
    event Action Other.ICart<int>.Paid { add { } remove { } }

    public enum Kind { None, @default }
    public delegate int Counter<in T>(T value);
    public class Nested { public int Size; public Nested(ref int size) { } }
    public interface IPart { void Total(); }
    public class Part : IPart { void IPart.Total() { } }
}

public class Pair<T>
{
    public Pair(T value) { }
    static Pair() { }
    public T? Left;
    public class Inner<U> { public U? Left; public Inner(T value) { } }
    public static Pair<T> operator +(Pair<T> a, Pair<T> b) => a;
    public static implicit operator T(Pair<T> a) => default!;
    public T this[T index] => index;
}

public class Pair
{
    public Pair(int value) { }
    static Pair() { }
    public int Left;
}

public class @class;
public class @int;

public interface ICart<T>
{
    int Count(T a);
    int Length { get; }
    int this[int a] { get; }
    event Action Paid;
}

public class Shop { public Shop() { } public class Deep { public Deep() { } } }

public static class Texts
{
    public static int Words(this string text) => 0;
    extension(string text)
    {
        public int Signs => 0;
        public int Lines(int from) => 0;
    }
}
`,
  'Other.cs': `namespace Other;

public interface ICart<T>
{
    int Count(T a);
    int Length { get; }
    int this[int a] { get; }
    event System.Action Paid;
}
`,
  'Uses.cs': `namespace Shop;

public interface IUses { int Named(); int Value { get; } event Action Done; int this[string a] { get; } }

public class Uses : IUses
{
    public static int Seen() => 0;
    static readonly int Field = Seen();
    static Uses() => Seen();
    public Uses() => Seen();
    ~Uses() => Seen();
    public int Property => Seen();
    public int Stored { get; set; } = Seen();
    public int this[int? index] => Seen();
    public static int operator +(Uses a, Uses b) => Seen();
    public static implicit operator List<int>(Uses a) => [Seen()];
    public event Action Moved { add => Seen(); remove => Seen(); }
    public int @new() => Seen();
    public int Pick((int, string) a) { int Local() => Seen(); Func<int> get = () => Seen(); return Local() + get(); }
    int IUses.Named() => Seen();
    int IUses.Value => Seen();
    event Action IUses.Done { add => Seen(); remove { } }
    int IUses.this[string a] => Seen();
    public class Nested<T> { public int Deep<U>() => Seen(); }

    void All(Uses a, (int, string) b)
    {
        var sum = (a + a) + (a + a) + (a[0] + a[1]) + (a[2] + a[null]) + Pick(b) + Pick(b) + Pick(b) + Pick(b);
        var more = (a + a) + (a + a);
    }
}
`,
  'Program.cs': 'Shop.Uses.Seen();\n',
  'Plain.cs': `public class Left { public int Right; public Left(int right) { } }

public class Right { }

public record Point(int X, int Y);
`,
};

interface Symbol {
  readonly name: string;
  readonly kind: string;
  readonly signature: string;
  readonly path: string;
  readonly line: number;
}

interface Definition {
  readonly asked: string;
  readonly symbol?: Symbol;
  readonly problem?: string;
}

describeWithSdk('a name that an answer prints', () => {
  let server: SdkServer;
  const code = (action: string, args: object) => server.call('dotnet_code', { action, ...args });
  const membersOf = async (file: string): Promise<Symbol[]> => {
    const { data, text } = await code('Outline', { file, limit: 1000 });
    expect(data.symbols, text).toBeDefined();
    return data.symbols;
  };

  const definitionsOf = async (names: string[]): Promise<Definition[]> => {
    const parts = names.flatMap((_, index) => (index % 10 === 0 ? [names.slice(index, index + 10)] : []));
    const results: Definition[] = [];
    for (const part of parts) {
      const { data } = await code('Definition', { symbol: part.join(', ') });
      results.push(...(data.results ?? [{ asked: part[0], ...data }]));
    }
    return results;
  };

  beforeAll(async () => {
    server = await startSdkServer(FILES);
    expect((await server.project('Restore', { project: 'App.csproj' })).isError).toBe(false);
    const { text } = await code('Diagnostics', { project: 'App.csproj', severity: 'error' });
    expect(text).toContain('0 errors');
  });
  afterAll(() => server.close());

  it.each(['Money.cs', 'Cart.cs', 'Other.cs', 'Plain.cs'])(
    'finds exactly the member that has it in %s',
    async (file) => {
      const members = await membersOf(file);
      const results = (await definitionsOf(members.map(({ name }) => name))).map(({ asked, symbol, problem }) =>
        problem === undefined ? `${asked} = ${symbol?.signature}:${symbol?.line}` : `${asked}: ${problem}`,
      );
      expect(results).toEqual(members.map(({ name, signature, line }) => `${name} = ${signature}:${line}`));
      expect(new Set(members.map(({ name }) => name)).size).toBe(members.length);
    },
  );

  it.each([
    'decimal',
    'string',
    'System.Collections.Generic.List',
    'System.Span',
    'System.DateTime',
    'System.Nullable',
    'System.Type',
  ])('finds exactly the member of the framework in %s', async (type) => {
    const { data, text } = await code('Outline', { symbol: type, project: 'App.csproj', limit: 1000 });
    const members: Symbol[] = data.symbols;
    expect(members, text).toBeDefined();
    const results = (await definitionsOf(members.map(({ name }) => name))).map(({ asked, symbol, problem }) =>
      problem === undefined ? `${asked} = ${symbol?.signature}` : `${asked}: ${problem}`,
    );
    expect(results).toEqual(members.map(({ name, signature }) => `${name} = ${signature}`));
  });

  it.each([
    ['Money.operator+(Money,Money)', 'Shop.Money.operator +(Shop.Money, Shop.Money)'],
    ['Money.operator <', 'Shop.Money.operator <(Shop.Money, Shop.Money)'],
    ['Money.operator checked +', 'Shop.Money.operator checked +(Shop.Money, Shop.Money)'],
    ['Shop.Money.op_UnaryPlus', 'Shop.Money.operator +(Shop.Money)'],
    ['Money.IAdditionOperators.operator ~', 'Shop.Money.Shop.IAdditionOperators<Shop.Money>.operator ~(Shop.Money)'],
    ['Money.implicit operator (int, string)', 'Shop.Money.implicit operator (int, string)(Shop.Money)'],
    ['Money.implicit operator Money(Int32)', 'Shop.Money.implicit operator Shop.Money(int)'],
    ['Money.explicit operator checked Byte', 'Shop.Money.explicit operator checked byte(Shop.Money)'],
    ['Cart.Cart(Int32)', 'Shop.Cart.Cart(int)'],
    ['Cart..ctor()', 'Shop.Cart.Cart()'],
    ['Cart..cctor', 'Shop.Cart..cctor()'],
    ['Cart.~Cart', 'Shop.Cart.~Cart()'],
    ['Cart.Finalize', 'Shop.Cart.~Cart()'],
    ['Cart.Set(int)', 'Shop.Cart.Set(int)'],
    ['Cart.Set(ref int)', 'Shop.Cart.Set(ref int)'],
    ['Cart.Set(out (int, string))', 'Shop.Cart.Set(out (int, string))'],
    ['Cart.Set(System.String)', 'Shop.Cart.Set(string)'],
    ['cart.this[Int32[]]', 'Shop.Cart.this[int[]]'],
    ['Cart.class', 'Shop.Cart.@class'],
    ['Cart.@new', 'Shop.Cart.@new(Shop.@class)'],
    ['Part.IPart.Total', 'Shop.Cart.Part.Shop.Cart.IPart.Total()'],
    ['Texts.Lines', 'Shop.Texts.extension(string).Lines(int)'],
  ])('can be written as %s', async (symbol, name) => {
    const { data, text } = await code('Definition', { symbol });
    expect(data.symbol?.name, text).toBe(name);
  });

  it.each([
    ['References', 'references'],
    ['Callers', 'callers'],
  ])('finds the members that %s names', async (action, list) => {
    const { data } = await code(action, { symbol: 'Uses.Seen' });
    const members: string[] = data[list].flatMap(({ member }: { member?: string }) => member ?? []);
    expect(members.length).toBeGreaterThan(18);
    for (const member of members) {
      const { data: definition, text } = await code('Definition', { symbol: member });
      expect(definition.source, text).toContain('Seen()');
    }
  });

  it.each(['Shop.Uses.operator +(Shop.Uses, Shop.Uses)', 'Shop.Uses.this[int?]', 'Shop.Uses.Pick((int, string))'])(
    'continues the list of %s with a cursor',
    async (symbol) => {
      const { text, data } = await code('References', { symbol: `${symbol}, Shop.Uses.Seen`, limit: 2 });
      const [, cursor] = text.match(/with symbol .* and cursor (\S+)/)!;
      expect(text).toContain(`with symbol ${symbol} and cursor`);
      const { data: next } = await code('References', { symbol, cursor });
      expect(next.references.length + data.results[0].references.length).toBe(4);
    },
  );
});
