/**
 * A column of a metadata table (ECMA-335 II.22): a number of bytes, a place in a heap, a row of a table (`[table]`), or a
 * row of one of several tables (`[bits of the tag, ...tables]`).
 */
type Column = 2 | 4 | 'name' | 'string' | 'guid' | 'blob' | readonly number[];

const TYPE = [2, 0x02, 0x01, 0x1b];
const METHOD = [1, 0x06, 0x0a];

/** The columns by table number, up to the last table that is read; `name` is the column that is used. */
const TABLES: readonly (readonly Column[])[] = [
  /* Module */ [2, 'string', 'guid', 'guid', 'guid'],
  /* TypeRef */ [[2, 0x00, 0x1a, 0x23, 0x01], 'string', 'string'],
  /* TypeDef */ [4, 'string', 'string', TYPE, [0x04], [0x06]],
  /* FieldPtr */ [[0x04]],
  /* Field */ [2, 'string', 'blob'],
  /* MethodPtr */ [[0x06]],
  /* MethodDef */ [4, 2, 2, 'string', 'blob', [0x08]],
  /* ParamPtr */ [[0x08]],
  /* Param */ [2, 2, 'string'],
  /* InterfaceImpl */ [[0x02], TYPE],
  /* MemberRef */ [[3, 0x02, 0x01, 0x1a, 0x06, 0x1b], 'string', 'blob'],
  /* Constant */ [2, [2, 0x04, 0x08, 0x17], 'blob'],
  /* CustomAttribute */ [
    [
      5, 0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14, 0x11, 0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27,
      0x28, 0x2a, 0x2c, 0x2b,
    ],
    [3, 0x06, 0x0a],
    'blob',
  ],
  /* FieldMarshal */ [[1, 0x04, 0x08], 'blob'],
  /* DeclSecurity */ [2, [2, 0x02, 0x06, 0x20], 'blob'],
  /* ClassLayout */ [2, 4, [0x02]],
  /* FieldLayout */ [4, [0x04]],
  /* StandAloneSig */ ['blob'],
  /* EventMap */ [[0x02], [0x14]],
  /* EventPtr */ [[0x14]],
  /* Event */ [2, 'string', TYPE],
  /* PropertyMap */ [[0x02], [0x17]],
  /* PropertyPtr */ [[0x17]],
  /* Property */ [2, 'string', 'blob'],
  /* MethodSemantics */ [2, [0x06], [1, 0x14, 0x17]],
  /* MethodImpl */ [[0x02], METHOD, METHOD],
  /* ModuleRef */ ['string'],
  /* TypeSpec */ ['blob'],
  /* ImplMap */ [2, [1, 0x04, 0x06], 'string', [0x1a]],
  /* FieldRVA */ [4, [0x04]],
  /* EncLog */ [4, 4],
  /* EncMap */ [4],
  /* Assembly */ [4, 2, 2, 2, 2, 4, 'blob', 'name', 'string'],
  /* AssemblyProcessor */ [4],
  /* AssemblyOS */ [4, 4, 4],
  /* AssemblyRef */ [2, 2, 2, 2, 4, 'blob', 'name', 'string', 'blob'],
];

const MAX_TABLES = 64;
/** Bits of `HeapSizes`: the heap's places take four bytes. */
const WIDE: Readonly<Record<string, number>> = { name: 1, string: 1, guid: 2, blob: 4 };

/**
 * The places in the string heap of the names in each row of `table`, which is Assembly (0x20) or AssemblyRef (0x23).
 * @param stream `#~` (ECMA-335 II.24.2.6)
 * @throws RangeError where the stream ends too early
 */
export function namesInTable(stream: Buffer, table: number): number[] {
  const heapSizes = stream.readUInt8(6);
  const present = stream.readBigUInt64LE(8);
  const rows: number[] = [];
  let at = 24;
  for (let item = 0; item < MAX_TABLES; item++) {
    const isPresent = (present >> BigInt(item)) & 1n;
    rows.push(isPresent ? stream.readUInt32LE(at) : 0);
    if (isPresent) at += 4;
  }
  const widthOf = (column: Column) => bytesOf(column, heapSizes, rows);
  const sum = (columns: readonly Column[]) => columns.reduce<number>((bytes, column) => bytes + widthOf(column), 0);
  const start = TABLES.slice(0, table).reduce((bytes, columns, item) => bytes + sum(columns) * rows[item]!, at);
  const columns = TABLES[table]!;
  const offset = start + sum(columns.slice(0, columns.indexOf('name')));
  return Array.from({ length: rows[table]! }, (_, row) =>
    stream.readUIntLE(offset + row * sum(columns), widthOf('name')),
  );
}

function bytesOf(column: Column, heapSizes: number, rows: readonly number[]): number {
  if (typeof column === 'number') return column;
  if (typeof column === 'string') return (heapSizes & WIDE[column]!) === 0 ? 2 : 4;
  const [bits, tables] = column.length === 1 ? [0, column] : [column[0]!, column.slice(1)];
  const longest = Math.max(...tables.map((table) => rows[table]!));
  return longest < 2 ** (16 - bits) ? 2 : 4;
}
