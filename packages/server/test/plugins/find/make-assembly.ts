export interface AssemblyParts {
  name?: string;
  references?: readonly string[];
  /** Other tables that are before those of the names: number → rows, each of so many zero bytes. */
  before?: Readonly<Record<number, readonly [rows: number, bytes: number]>>;
  /** `HeapSizes` of the metadata; 0 where every heap is small. */
  heapSizes?: number;
  isPe32Plus?: boolean;
}

const PE_AT = 0x80;
const SECTION_RVA = 0x2000;
const SECTION_AT = 0x200;
const CLI_BYTES = 72;

/** The smallest library with .NET metadata that says who it is and what it refers to (PE format, ECMA-335 II.24). */
export function makeAssembly(parts: AssemblyParts = {}): Buffer {
  const metadata = makeMetadata(parts);
  const cli = Buffer.alloc(CLI_BYTES);
  cli.writeUInt32LE(CLI_BYTES, 0);
  cli.writeUInt32LE(SECTION_RVA + CLI_BYTES, 8);
  cli.writeUInt32LE(metadata.length, 12);
  return makeLibrary(Buffer.concat([cli, metadata]), parts.isPe32Plus ?? false, SECTION_RVA);
}

/** A library without .NET code. */
export const makeNative = (): Buffer => makeLibrary(Buffer.from('code'), true, 0);

function makeLibrary(content: Buffer, isPe32Plus: boolean, cliRva: number): Buffer {
  const directories = isPe32Plus ? 112 : 96;
  const optionalBytes = directories + 16 * 8;
  const header = Buffer.alloc(SECTION_AT);
  header.write('MZ', 0);
  header.writeUInt32LE(PE_AT, 0x3c);
  header.write('PE\0\0', PE_AT);
  header.writeUInt16LE(1, PE_AT + 6);
  header.writeUInt16LE(optionalBytes, PE_AT + 20);
  const optional = PE_AT + 24;
  header.writeUInt16LE(isPe32Plus ? 0x20b : 0x10b, optional);
  header.writeUInt32LE(16, optional + directories - 4);
  header.writeUInt32LE(cliRva, optional + directories + 14 * 8);
  const section = optional + optionalBytes;
  header.write('.text', section);
  header.writeUInt32LE(SECTION_RVA, section + 12);
  header.writeUInt32LE(content.length, section + 16);
  header.writeUInt32LE(SECTION_AT, section + 20);
  return Buffer.concat([header, content]);
}

function makeMetadata(parts: AssemblyParts): Buffer {
  const { name = 'Plugin', references = [], before = {}, heapSizes = 0 } = parts;
  const names = [name, ...references];
  const strings = Buffer.from(`\0${names.map((item) => `${item}\0`).join('')}`);
  const offsets = names.map(
    (_, index) => 1 + Buffer.byteLength(names.slice(0, index).join('\0')) + (index > 0 ? 1 : 0),
  );
  const heap = (value: number, bit: number) => number(value, (heapSizes & bit) === 0 ? 2 : 4);
  const assembly = [number(0, 16), heap(0, 4), heap(offsets[0]!, 1), heap(0, 1)];
  const referenceRows = offsets
    .slice(1)
    .flatMap((offset) => [number(0, 12), heap(0, 4), heap(offset, 1), heap(0, 1), heap(0, 4)]);
  const tables = Object.entries(before).map(([table, [rows, bytes]]) => ({
    table: Number(table),
    rows,
    content: Buffer.alloc(rows * bytes),
  }));
  tables.push({ table: 0x20, rows: 1, content: Buffer.concat(assembly) });
  tables.push({ table: 0x23, rows: references.length, content: Buffer.concat(referenceRows) });
  const stream = tableStream(tables, heapSizes);
  const head = Buffer.alloc(32);
  head.write('BSJB', 0);
  head.writeUInt32LE(12, 12);
  head.write('v4.0.30319', 16);
  head.writeUInt16LE(2, 30);
  const streamsAt = head.length + 12 + 20;
  return Buffer.concat([
    head,
    number(streamsAt, 4),
    number(stream.length, 4),
    Buffer.from('#~\0\0'),
    number(streamsAt + stream.length, 4),
    number(strings.length, 4),
    Buffer.from('#Strings\0\0\0\0'),
    stream,
    strings,
  ]);
}

function tableStream(tables: { table: number; rows: number; content: Buffer }[], heapSizes: number): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt8(heapSizes, 6);
  head.writeBigUInt64LE(
    tables.reduce((bits, { table }) => bits | (1n << BigInt(table)), 0n),
    8,
  );
  return Buffer.concat([head, ...tables.map(({ rows }) => number(rows, 4)), ...tables.map(({ content }) => content)]);
}

/** Little endian; what does not fit into six bytes is zero. */
function number(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, Math.min(bytes, 6));
  return buffer;
}
