export interface Framework {
  readonly tfm: string;
  /** The name for people, such as `.NET 10.0 (LTS)`. */
  readonly description: string;
  readonly version: string;
  readonly isLts: boolean;
  /** True for .NET 5 and later. */
  readonly isModernNet: boolean;
  /** True for .NET Core 1.0 to 3.1. */
  readonly isNetCore: boolean;
  readonly isNetFramework: boolean;
  readonly isNetStandard: boolean;
  /** The platform, such as `windows` or `android`; only with `net5.0` and later. */
  readonly platform?: string;
}

/** The answer of the FrameworkInfo action and of the resource dotnet://frameworks. Lists begin with the newest. */
export interface FrameworkCatalog {
  readonly modernFrameworks: readonly Framework[];
  readonly netCoreFrameworks: readonly Framework[];
  readonly netStandardFrameworks: readonly Framework[];
  readonly latestRecommended: string;
  readonly latestLts: string;
}

const MODERN = ['net10.0', 'net9.0', 'net8.0', 'net7.0', 'net6.0', 'net5.0'];
const CORE = ['3.1', '3.0', '2.2', '2.1', '2.0', '1.1', '1.0'].map((version) => `netcoreapp${version}`);
const STANDARD = ['2.1', '2.0', '1.6', '1.5', '1.4', '1.3', '1.2', '1.1', '1.0'].map((v) => `netstandard${v}`);
const LATEST_LTS = 'net10.0';

/** The versions of .NET Framework, which will get no more. `net10` (1.0) is missing, because no SDK can build it. */
const NET_FRAMEWORK = new Set(
  '1.1 2.0 3.5 4.0 4.0.3 4.5 4.5.1 4.5.2 4.6 4.6.1 4.6.2 4.7 4.7.1 4.7.2 4.8 4.8.1'.split(' '),
);
/** The LTS versions of .NET Core. Those of .NET are the even major versions from 6 on. */
const CORE_LTS = new Set(['1.0', '1.1', '2.1', '3.1']);

const MODERN_TFM = /^net(\d+)\.(\d+)(?:-([a-z]+)(\d+(?:\.\d+){0,3})?)?$/i;
const CORE_TFM = /^netcoreapp([1-3]\.\d)$/i;
const STANDARD_TFM = /^netstandard([12]\.\d)$/i;
const FRAMEWORK_TFM = /^net(\d{2,3}|[1-4](?:\.\d){1,2})(?:-(?:client|full))?$/i;
/** Matches monikers of platforms that only older SDKs and Visual Studio can build. */
const OTHER_TFM = /^(?:uap10\.0(?:\.\d+)?|netcore(?:45|451|50)|netmf|netnano1\.0|tizen\d+|sl[45]|wp(?:[78]\d?|a81)?)$/i;

/**
 * The end of support, by Microsoft's lifecycle policy, of frameworks that are older than the newest LTS release. .NET
 * Framework 3.5 and from 4.6.2 on are supported as parts of Windows.
 */
const SUPPORT_ENDS: Readonly<Record<string, string>> = {
  'net9.0': '2026-11-10',
  'net8.0': '2026-11-10',
  'net7.0': '2024-05-14',
  'net6.0': '2024-11-12',
  'net5.0': '2022-05-10',
  'netcoreapp3.1': '2022-12-13',
  'netcoreapp3.0': '2020-03-03',
  'netcoreapp2.2': '2019-12-23',
  'netcoreapp2.1': '2021-08-21',
  'netcoreapp2.0': '2018-10-01',
  'netcoreapp1.1': '2019-06-27',
  'netcoreapp1.0': '2019-06-27',
  net461: '2022-04-26',
  net46: '2022-04-26',
  net452: '2022-04-26',
  net451: '2016-01-12',
  net45: '2016-01-12',
  net403: '2016-01-12',
  net40: '2016-01-12',
};

/** Says when the support of a target framework ends and which one to use instead; undefined if no end is listed. */
export function supportAdvice(tfm: string): string | undefined {
  const [base = ''] = tfm.toLowerCase().split('-');
  const end = SUPPORT_ENDS[base];
  if (end === undefined) return undefined;
  const instead = describeFramework(base)?.isNetFramework
    ? 'use net462 or later'
    : `the latest long-term support release is ${LATEST_LTS}`;
  return `${tfm} has support until ${end}; ${instead}.`;
}

/**
 * Returns the problem of a target framework moniker; undefined if it is valid
 * (docs/spec/dotnet-tools.md#target-frameworks).
 */
export function frameworkProblem(tfm: string): string | undefined {
  if (describeFramework(tfm) || OTHER_TFM.test(tfm)) return undefined;
  const major = /^net(\d+)$/i.exec(tfm)?.[1];
  if (major && Number(major) >= 5 && Number(major) <= 30) return `'${tfm}' lacks the minor version: net${major}.0`;
  return `'${tfm}' is not a target framework moniker`;
}

/** Parses the moniker of .NET, .NET Core, .NET Standard or .NET Framework; returns undefined for any other text. */
export function describeFramework(tfm: string): Framework | undefined {
  return describeModern(tfm) ?? describeCore(tfm) ?? describeStandard(tfm) ?? describeNetFramework(tfm);
}

/** Returns the catalog. It contains net11.0 if one of the installed SDKs is an 11.x. */
export function frameworkCatalog(sdkVersions: readonly string[]): FrameworkCatalog {
  const hasNet11 = sdkVersions.some((version) => version.startsWith('11.'));
  const describe = (tfms: readonly string[]) => tfms.map((tfm) => describeFramework(tfm)!);
  return {
    modernFrameworks: describe(hasNet11 ? ['net11.0', ...MODERN] : MODERN),
    netCoreFrameworks: describe(CORE),
    netStandardFrameworks: describe(STANDARD),
    latestRecommended: LATEST_LTS,
    latestLts: LATEST_LTS,
  };
}

const UNSET = {
  isLts: false,
  isModernNet: false,
  isNetCore: false,
  isNetFramework: false,
  isNetStandard: false,
};

const withLts = (description: string, isLts: boolean) => (isLts ? `${description} (LTS)` : description);

function describeModern(tfm: string): Framework | undefined {
  const [, major, minor, platform, platformVersion = ''] = MODERN_TFM.exec(tfm) ?? [];
  if (major === undefined || Number(major) < 5) return undefined;
  const isLts = Number(major) >= 6 && Number(major) % 2 === 0 && minor === '0';
  const version = `${Number(major)}.${Number(minor)}`;
  const suffix = platform ? ` for ${`${platform} ${platformVersion}`.trim()}` : '';
  return {
    ...UNSET,
    tfm,
    description: withLts(`.NET ${version}`, isLts) + suffix,
    version,
    isLts,
    isModernNet: true,
    ...(platform && { platform: platform.toLowerCase() }),
  };
}

function describeCore(tfm: string): Framework | undefined {
  const version = CORE_TFM.exec(tfm)?.[1];
  if (version === undefined) return undefined;
  const isLts = CORE_LTS.has(version);
  return { ...UNSET, tfm, description: withLts(`.NET Core ${version}`, isLts), version, isLts, isNetCore: true };
}

function describeStandard(tfm: string): Framework | undefined {
  const version = STANDARD_TFM.exec(tfm)?.[1];
  if (version === undefined) return undefined;
  return { ...UNSET, tfm, description: `.NET Standard ${version}`, version, isNetStandard: true };
}

function describeNetFramework(tfm: string): Framework | undefined {
  const digits = FRAMEWORK_TFM.exec(tfm)?.[1]?.replaceAll('.', '');
  const version = digits && [...digits].join('.');
  if (!version || !NET_FRAMEWORK.has(version)) return undefined;
  return { ...UNSET, tfm, description: `.NET Framework ${version}`, version, isNetFramework: true };
}

/** The platforms of the RID graph without versions (`RuntimeIdentifierGraph.json` of SDK 10.0.401). */
export const RID_PLATFORMS: ReadonlySet<string> = new Set(
  `alpine android any aot arch base browser centos debian exherbo fedora freebsd gentoo haiku illumos ios iossimulator
  linux linuxmint maccatalyst manjaro miraclelinux ol omnios openindiana opensuse osx rhel rocky sles smartos solaris
  tizen tvos tvossimulator ubuntu unix wasi win`.split(/\s+/),
);

/** Matches `platform[version](-part)*`, for example `linux-musl-arm64`, `osx.13-arm64` and `win10-x64`. */
const RID = /^([a-z]+)(?:\.?\d+(?:\.\d+)*)?(?:-[a-z][a-z0-9]*)*$/i;

/**
 * Returns the problem of a runtime identifier; undefined if its platform is known
 * (docs/spec/dotnet-tools.md#runtime-identifiers).
 */
export function runtimeProblem(rid: string): string | undefined {
  const platform = RID.exec(rid)?.[1];
  if (platform === undefined) return `'${rid}' is not <platform>-<architecture>`;
  return RID_PLATFORMS.has(platform.toLowerCase()) ? undefined : `'${platform}' is not a platform of the RID graph`;
}
