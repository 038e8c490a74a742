/**
 * The type of a column in a metadata table (ECMA-335 II.22): a number of bytes, an offset in a heap, a row index of a
 * table (`[table]`), or a row index of one of several tables (`[bits of the tag, ...tables]`).
 */
type Column = 2 | 4 | 'name' | 'string' | 'guid' | 'blob' | readonly number[];

const TYPE = [2, 0x02, 0x01, 0x1b];
const METHOD = [1, 0x06, 0x0a];

/** The columns by table number, up to the last table that is read. The string column `name` is the one that is read. */
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
/** Bits of `HeapSizes`. If the bit is set, offsets in the heap take four bytes instead of two. */
const WIDE_HEAP_BITS: Readonly<Record<string, number>> = { name: 1, string: 1, guid: 2, blob: 4 };

/**
 * Returns the offset of the name of each row in the string heap.
 * @param stream the stream `#~` (ECMA-335 II.24.2.6)
 * @param table the table number: Assembly (0x20) or AssemblyRef (0x23)
 * @throws RangeError if the stream ends too early
 */
export function namesInTable(stream: Buffer, table: number): number[] {
  const heapSizes = stream.readUInt8(6);
  const presentTables = stream.readBigUInt64LE(8);
  const rowCounts: number[] = [];
  let offset = 24;
  for (let number = 0; number < MAX_TABLES; number++) {
    const isPresent = (presentTables >> BigInt(number)) & 1n;
    rowCounts.push(isPresent ? stream.readUInt32LE(offset) : 0);
    if (isPresent) offset += 4;
  }
  const widthOf = (column: Column) => bytesOf(column, heapSizes, rowCounts);
  const sum = (columns: readonly Column[]) => columns.reduce<number>((bytes, column) => bytes + widthOf(column), 0);
  const tableStart = TABLES.slice(0, table).reduce(
    (bytes, columns, number) => bytes + sum(columns) * rowCounts[number]!,
    offset,
  );
  const columns = TABLES[table]!;
  const firstName = tableStart + sum(columns.slice(0, columns.indexOf('name')));
  return Array.from({ length: rowCounts[table]! }, (_, row) =>
    stream.readUIntLE(firstName + row * sum(columns), widthOf('name')),
  );
}

function bytesOf(column: Column, heapSizes: number, rowCounts: readonly number[]): number {
  if (typeof column === 'number') return column;
  if (typeof column === 'string') return (heapSizes & WIDE_HEAP_BITS[column]!) === 0 ? 2 : 4;
  const [tagBits, tables] = column.length === 1 ? [0, column] : [column[0]!, column.slice(1)];
  const maxRows = Math.max(...tables.map((table) => rowCounts[table]!));
  return maxRows < 2 ** (16 - tagBits) ? 2 : 4;
}
