const LEARN = 'https://learn.microsoft.com/en-us';
const COMPILER_MESSAGES = `${LEARN}/dotnet/csharp/language-reference/compiler-messages`;
const SDK_ERRORS = `${LEARN}/dotnet/core/tools/sdk-errors`;
const NUGET_ERRORS = `${LEARN}/nuget/reference/errors-and-warnings`;

/** C# codes with a page of their own under compiler-messages; the older others are under misc. */
const COMPILER_MESSAGE_PAGES = new Set(
  (
    'CS0006 CS0019 CS0029 CS0103 CS0106 CS0116 CS0119 CS0120 CS0122 CS0161 CS0165 CS0201 CS0229 CS0234 CS0246 CS0260 ' +
    'CS0266 CS0433 CS1026 CS1061 CS1501 CS1503 CS1519 CS1540 CS1579 CS1591 CS1612 CS1614 CS1705 CS1729 CS4014 CS7036'
  ).split(' '),
);
const MISC_PAGES = /^CS[0125]\d{3}$/;

/** C# codes that share a page. */
const SHARED_PAGES: Readonly<Record<string, readonly string[]>> = {
  'nullable-warnings#possible-null-assigned-to-a-nonnullable-reference':
    'CS8597 CS8600 CS8601 CS8603 CS8604 CS8605 CS8625 CS8629'.split(' '),
  'nullable-warnings#possible-dereference-of-null': ['CS8602'],
  'nullable-warnings#nonnullable-reference-not-initialized': ['CS8618'],
  'nullable-warnings#mismatch-in-nullability-declaration': 'CS8619 CS8620 CS8622 CS8765 CS8767'.split(' '),
  'async-await-errors': 'CS1988 CS1994 CS4008 CS4032 CS4033'.split(' '),
};
const SHARED_PAGE_OF = new Map(
  Object.entries(SHARED_PAGES).flatMap(([page, codes]) => codes.map((code) => [code, page] as const)),
);
const WITHOUT_PAGE = new Set(['CS1737', 'CS1739', 'MSB9008', 'NU1410']);

const SDK_PAGES = new Set(
  (
    '1004 1005 1013 1022 1032 1045 1059 1064 1071 1073 1080 1082 1083 1100 1112 1130 1135 1136 1137 1138 1141 1144 ' +
    '1145 1147 1206'
  )
    .split(' ')
    .map((digits) => `NETSDK${digits}`),
);

type UrlRule = readonly [pattern: RegExp, url: (code: string) => string];

const URL_RULES: readonly UrlRule[] = [
  [/^CS\d{4}$/, csharpPage],
  [/^MSB\d{4}$/, (code) => `${LEARN}/visualstudio/msbuild/errors/${code.toLowerCase()}`],
  [/^NU190[1-4]$/, () => `${NUGET_ERRORS}/nu1901-nu1904`],
  [/^NU\d{4}$/, (code) => `${NUGET_ERRORS}/${code.toLowerCase()}`],
  [/^NETSDK\d{4}$/, (code) => (SDK_PAGES.has(code) ? `${SDK_ERRORS}/${code.toLowerCase()}` : `${SDK_ERRORS}/`)],
  [/^CA\d{4}$/, (code) => `${LEARN}/dotnet/fundamentals/code-analysis/quality-rules/${code.toLowerCase()}`],
  [/^IDE\d{4}$/, (code) => `${LEARN}/dotnet/fundamentals/code-analysis/style-rules/${code.toLowerCase()}`],
  [/^SYSLIB\d{4}$/, (code) => `${LEARN}/dotnet/fundamentals/syslib-diagnostics/${code.toLowerCase()}`],
  [/^XUNIT\d{4}$/, (code) => `https://xunit.net/xunit.analyzers/rules/${code.replace('XUNIT', 'xUnit')}`],
  [/^(?:WHITESPACE|IMPORTS|FINALNEWLINE|ENDOFLINE|CHARSET)$/, () => `${LEARN}/dotnet/core/tools/dotnet-format`],
  [/^MTP\d{4}$/, () => `${LEARN}/dotnet/core/testing/microsoft-testing-platform-intro`],
  [/^[A-Z][A-Z-]*\d[\w-]*$/, searchLink],
];

/** The documentation of a code: its own page, or else its family's, or else a search; undefined for anything that is not a printed code. */
export function documentationUrlFor(code: string): string | undefined {
  const key = code.trim().toUpperCase();
  if (WITHOUT_PAGE.has(key)) return searchLink(key);
  return URL_RULES.find(([pattern]) => pattern.test(key))?.[1](key);
}

function csharpPage(code: string): string {
  const shared = SHARED_PAGE_OF.get(code);
  if (shared !== undefined) return `${COMPILER_MESSAGES}/${shared}`;
  const page = code.toLowerCase();
  if (COMPILER_MESSAGE_PAGES.has(code)) return `${COMPILER_MESSAGES}/${page}`;
  return MISC_PAGES.test(code) ? `${LEARN}/dotnet/csharp/misc/${page}` : searchLink(code);
}

function searchLink(code: string): string {
  return `${LEARN}/search/?terms=${encodeURIComponent(code)}`;
}
