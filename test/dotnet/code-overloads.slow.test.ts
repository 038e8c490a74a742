import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const FILES = {
  'App.csproj': projectXml(CONSOLE),
  'Cart.cs': `namespace Shop;

public class Cart
{
    public Cart() : this(0) { }
    public Cart(int size) { Size = size; }

    public int Size { get; set; }

    public int this[int index] => index;
    public int this[string name] => name.Length;

    public virtual int Total(int discount) => discount;
    public virtual int Total() => Total(0) + Total(1);

    public int Set(int value) => value;
    public int Set(ref int value) => value;
    public int Set((int First, string Second) pair) => pair.First;

    public T Map<T>() => default!;
    public object Map() => this[0] + this["a"] + Map<int>();
}

public class Big : Cart
{
    public override int Total() => base.Total() + 1;
}
`,
  'Program.cs': `using Shop;

var value = 1;
var cart = new Cart(2);
Console.WriteLine(cart.Total() + cart.Set(value) + cart.Set(ref value));
`,
};

interface Result {
  readonly asked: string;
  readonly totalCount: number;
  readonly [member: string]: unknown;
}

describeWithSdk('a member with overloads', () => {
  let server: SdkServer;
  const code = (action: string, args: object) => server.call('dotnet_code', { action, ...args });
  const results = async (action: string, symbol: string, args: object = {}): Promise<Result[]> => {
    const { data, text } = await code(action, { symbol, ...args });
    expect(data.results, text).toBeDefined();
    return data.results;
  };
  const counts = async (action: string, symbol: string) =>
    Object.fromEntries((await results(action, symbol)).map(({ asked, totalCount }) => [asked, totalCount]));

  beforeAll(async () => {
    server = await startSdkServer(FILES);
    expect((await server.project('Restore', { project: 'App.csproj' })).isError).toBe(false);
  });
  afterAll(() => server.close());

  it('is answered for each overload by the actions that read', async () => {
    const [withDiscount, plain] = ['Shop.Cart.Total(int)', 'Shop.Cart.Total()'];
    expect(await counts('References', 'Cart.Total')).toEqual({ [withDiscount]: 2, [plain]: 3 });
    expect(await counts('Callers', 'Cart.Total')).toEqual({ [withDiscount]: 2, [plain]: 2 });
    expect(await counts('Implementations', 'Cart.Total')).toEqual({ [withDiscount]: 0, [plain]: 1 });
    const { text } = await code('Definition', { symbol: 'Cart.Total' });
    expect(text).toContain(`# ${withDiscount}\nCart.cs:13 public virtual int Total(int discount)`);
    expect(text).toContain(`# ${plain}\nCart.cs:14 public virtual int Total()`);
  });

  it('has overloads that differ by more than the types of its parameters', async () => {
    const lines = async (symbol: string) =>
      (await results('References', symbol)).map(({ references }) =>
        (references as { line: number }[]).map(({ line }) => line),
      );
    expect(await counts('References', 'Cart.Cart')).toEqual({ 'Shop.Cart.Cart()': 0, 'Shop.Cart.Cart(int)': 2 });
    expect(await counts('References', 'Cart.this[]')).toEqual({
      'Shop.Cart.this[int]': 1,
      'Shop.Cart.this[string]': 1,
    });
    expect(await counts('References', 'Cart.Map')).toEqual({ 'Shop.Cart.Map<T>()': 1, 'Shop.Cart.Map()': 0 });
    expect(await lines('Cart.Set')).toEqual([[5], [5], []]);
  });

  it('can be one of several symbols, and of the framework', async () => {
    const several = await results('References', 'Cart.Size, Cart.Total, Carrt');
    expect(several.map(({ asked }) => asked)).toEqual([
      'Cart.Size',
      expect.stringContaining('Shop.Cart.Total('),
      expect.stringContaining('Shop.Cart.Total('),
      'Carrt',
    ]);
    const joins = await results('Definition', 'string.Join');
    expect(joins.length).toBeGreaterThan(5);
    for (const { documentation } of joins) expect(documentation).toContain('Concatenates');
  });

  it('has a list for each overload, which continues with its own name and cursor', async () => {
    const { text } = await code('References', { symbol: 'Cart.Total', limit: 2 });
    const cursors = [...text.matchAll(/with symbol (\S+) and cursor (\S+)/g)];
    expect(cursors.length).toBeGreaterThan(0);
    for (const [, symbol, cursor] of cursors) {
      const { data } = await code('References', { symbol, cursor });
      expect(data.references.length).toBeGreaterThan(0);
      expect(data.symbol.name).toBe(symbol);
    }
  });

  it.each([
    ['Rename', { newName: 'Sum' }],
    ['Format', {}],
    ['Outline', {}],
  ])('has to be named with its parameters in %s', async (action, args) => {
    const { data } = await code(action, { symbol: 'Cart.Total', ...args });
    expect(data.errors[0].code).toBe('INVALID_PARAMS');
    expect(data.errors[0].alternatives).toHaveLength(2);
  });

  it('is ambiguous with a member of another type', async () => {
    const { data } = await code('References', { symbol: 'Total' });
    expect(data.errors[0].code).toBe('INVALID_PARAMS');
    expect(data.errors[0].alternatives).toHaveLength(3);
  });
});
