import { crc32 } from 'node:zlib';

/** A package as its manifest has it. */
export interface Package {
  readonly id: string;
  readonly version: string;
  /** Its files, by path where they have contents; default: something for .NET Standard 2.0, which every project can use. */
  readonly files?: readonly string[] | Readonly<Record<string, string | Uint8Array>>;
  /** Ids and version ranges. */
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly minClientVersion?: string;
}

/** The `.nupkg` of a package: its manifest, and its files with a word in each. */
export function nupkg({
  id,
  version,
  files = ['lib/netstandard2.0/_._'],
  dependencies = {},
  type,
  minClientVersion,
}: Package): Buffer {
  const list = Object.entries(dependencies)
    .map(([name, range]) => `<dependency id="${name}" version="${range}" />`)
    .join('');
  const manifest = `<package xmlns="http://schemas.microsoft.com/packaging/2012/06/nuspec.xsd"><metadata${minClientVersion ? ` minClientVersion="${minClientVersion}"` : ''}>
<id>${id}</id><version>${version}</version><authors>a</authors><description>d</description>
${type ? `<packageTypes><packageType name="${type}" /></packageTypes>` : ''}
<dependencies><group targetFramework="netstandard2.0">${list}</group></dependencies></metadata></package>`;
  return zip({ [`${id}.nuspec`]: manifest, ...contents(files) });
}

function contents(files: NonNullable<Package['files']>): Record<string, string | Uint8Array> {
  if (!Array.isArray(files)) return files as Record<string, string | Uint8Array>;
  return Object.fromEntries(files.map((file) => [file, 'content']));
}

/** A zip archive of uncompressed files. */
function zip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const path = Buffer.from(name);
    const content = Buffer.from(text);
    const details = Buffer.alloc(26);
    details.writeUInt16LE(20, 0);
    details.writeUInt32LE(0x5a210000, 6);
    details.writeUInt32LE(crc32(content), 10);
    details.writeUInt32LE(content.length, 14);
    details.writeUInt32LE(content.length, 18);
    details.writeUInt16LE(path.length, 22);
    const section = Buffer.alloc(14);
    section.writeUInt32LE(offset, 10);
    local.push(Buffer.from('PK\x03\x04'), details, path, content);
    central.push(Buffer.from('PK\x01\x02\x14\x00'), details, section, path);
    offset += 4 + details.length + path.length + content.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
