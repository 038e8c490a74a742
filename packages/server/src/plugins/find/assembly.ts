import { namesInTable } from './metadata-tables.js';

/** The contents of a `.dll` that can be read without .NET. */
export type AssemblyInfo =
  | { readonly kind: 'assembly'; readonly name: string; readonly references: readonly string[] }
  /** A library without .NET code. */
  | { readonly kind: 'native' }
  | { readonly kind: 'broken'; readonly reason: string }
  /** The file has .NET code, but its names are behind the part that was read. */
  | { readonly kind: 'large' };

/**
 * Reads the name and the references of an assembly (PE format; ECMA-335 II.24 and II.25). Never throws.
 * @param file the contents of the file, or their beginning
 * @param fileBytes the size of the whole file
 */
export function parseAssembly(file: Buffer, fileBytes = file.length): AssemblyInfo {
  try {
    const metadata = metadataOf(file, fileBytes);
    return metadata ? { kind: 'assembly', ...namesOf(metadata) } : { kind: 'native' };
  } catch (error) {
    if (error instanceof BrokenAssemblyError) return { kind: 'broken', reason: error.message };
    if (error instanceof RangeError && file.length < fileBytes) return { kind: 'large' };
    // Node throws a RangeError for an offset outside of a buffer.
    if (error instanceof RangeError) return { kind: 'broken', reason: `it is truncated after ${file.length} bytes` };
    throw error;
  }
}

class BrokenAssemblyError extends Error {}

const MZ = 0x5a4d;
const PE = 0x00004550;
const COFF_BYTES = 24;
/** The offset of the data directories, by the magic number of the optional header. */
const DIRECTORIES = new Map([
  [0x10b, 96],
  [0x20b, 112],
]);
const CLI_DIRECTORY = 14;

/** Returns the metadata root; undefined if the file has no .NET code. */
function metadataOf(file: Buffer, fileBytes: number): Buffer | undefined {
  if (file.length === 0) throw new BrokenAssemblyError('it is empty');
  if (file.readUInt16LE(0) !== MZ) throw new BrokenAssemblyError('the MZ signature is missing');
  const header = file.subarray(file.readUInt32LE(0x3c));
  if (header.readUInt32LE(0) !== PE) throw new BrokenAssemblyError('it has no PE header');
  const sections = parseSections(header, fileBytes);
  const directories = DIRECTORIES.get(header.readUInt16LE(COFF_BYTES));
  if (directories === undefined) throw new BrokenAssemblyError('its PE header is of an unknown kind');
  const hasCli = header.readUInt32LE(COFF_BYTES + directories - 4) > CLI_DIRECTORY;
  const cliRva = hasCli ? header.readUInt32LE(COFF_BYTES + directories + CLI_DIRECTORY * 8) : 0;
  if (cliRva === 0) return undefined;
  const cli = file.subarray(offsetOf(cliRva, sections));
  return file.subarray(offsetOf(cli.readUInt32LE(8), sections));
}

interface Section {
  readonly rva: number;
  readonly size: number;
  readonly offset: number;
}

const SECTION_BYTES = 40;

function parseSections(header: Buffer, fileBytes: number): Section[] {
  const first = COFF_BYTES + header.readUInt16LE(20);
  return Array.from({ length: header.readUInt16LE(6) }, (_, index) => {
    const at = first + index * SECTION_BYTES;
    const [rva, size, offset] = [12, 16, 20].map((member) => header.readUInt32LE(at + member)) as [
      number,
      number,
      number,
    ];
    if (size > 0 && offset + size > fileBytes)
      throw new BrokenAssemblyError(`it has ${fileBytes} bytes, and should have ${offset + size} at least`);
    return { rva, size, offset };
  });
}

function offsetOf(rva: number, sections: readonly Section[]): number {
  const section = sections.find((candidate) => rva >= candidate.rva && rva < candidate.rva + candidate.size);
  if (!section) throw new BrokenAssemblyError('its headers point outside the file');
  return section.offset + rva - section.rva;
}

const BSJB = 0x424a5342;
const ASSEMBLY = 0x20;
const ASSEMBLY_REF = 0x23;

function namesOf(metadata: Buffer): { name: string; references: string[] } {
  const streams = parseStreams(metadata);
  const strings = streams.get('#Strings');
  const tables = streams.get('#~') ?? streams.get('#-');
  if (!strings || !tables) throw new BrokenAssemblyError('its metadata lacks a stream');
  const namesIn = (table: number) => namesInTable(tables, table).map((offset) => textAt(strings, offset));
  return { name: namesIn(ASSEMBLY)[0] ?? '', references: namesIn(ASSEMBLY_REF) };
}

function parseStreams(metadata: Buffer): Map<string, Buffer> {
  if (metadata.readUInt32LE(0) !== BSJB) throw new BrokenAssemblyError('the signature of its metadata is not valid');
  let at = 20 + metadata.readUInt32LE(12);
  const streams = new Map<string, Buffer>();
  for (let remaining = metadata.readUInt16LE(at - 2); remaining > 0; remaining--) {
    const name = textAt(metadata, at + 8);
    const offset = metadata.readUInt32LE(at);
    streams.set(name, metadata.subarray(offset, offset + metadata.readUInt32LE(at + 4)));
    at += 8 + Math.ceil((name.length + 1) / 4) * 4;
  }
  return streams;
}

function textAt(bytes: Buffer, start: number): string {
  const end = bytes.indexOf(0, start);
  if (end < 0) throw new BrokenAssemblyError('a name in its metadata is not terminated');
  return bytes.toString('utf8', start, end);
}
