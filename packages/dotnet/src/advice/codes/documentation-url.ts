import { CODES } from './codes.js';

const LEARN = 'https://learn.microsoft.com/en-us';
const COMPILER_MESSAGES = `${LEARN}/dotnet/csharp/language-reference/compiler-messages`;
const SDK_ERRORS = `${LEARN}/dotnet/core/tools/sdk-errors`;
const NUGET_ERRORS = `${LEARN}/nuget/reference/errors-and-warnings`;

/** Older C# codes without a page under compiler-messages have one under misc. */
const MISC_PAGES = /^CS[0125]\d{3}$/;

type UrlRule = readonly [pattern: RegExp, url: (code: string) => string];

const URL_RULES: readonly UrlRule[] = [
  [/^CS\d{4}$/, csharpPage],
  [/^MSB\d{4}$/, (code) => `${LEARN}/visualstudio/msbuild/errors/${code.toLowerCase()}`],
  [/^NU1410$/, searchLink],
  [/^NU190[1-4]$/, () => `${NUGET_ERRORS}/nu1901-nu1904`],
  [/^NU\d{4}$/, (code) => `${NUGET_ERRORS}/${code.toLowerCase()}`],
  [
    /^NETSDK\d{4}$/,
    (code) => (CODES.get(code)?.page === 'own' ? `${SDK_ERRORS}/${code.toLowerCase()}` : `${SDK_ERRORS}/`),
  ],
  [/^CA\d{4}$/, (code) => `${LEARN}/dotnet/fundamentals/code-analysis/quality-rules/${code.toLowerCase()}`],
  [/^IDE\d{4}$/, (code) => `${LEARN}/dotnet/fundamentals/code-analysis/style-rules/${code.toLowerCase()}`],
  [/^SYSLIB\d{4}$/, (code) => `${LEARN}/dotnet/fundamentals/syslib-diagnostics/${code.toLowerCase()}`],
  [/^XUNIT\d{4}$/, (code) => `https://xunit.net/xunit.analyzers/rules/${code.replace('XUNIT', 'xUnit')}`],
  [/^(?:WHITESPACE|IMPORTS|FINALNEWLINE|ENDOFLINE|CHARSET)$/, () => `${LEARN}/dotnet/core/tools/dotnet-format`],
  [/^MTP\d{4}$/, () => `${LEARN}/dotnet/core/testing/microsoft-testing-platform-intro`],
  [/^[A-Z][A-Z-]*\d[\w-]*$/, searchLink],
];

/**
 * Returns the address of a code's own page, else of its family's page, else of a search.
 * @returns undefined if the text does not look like a code that a tool prints
 */
export function documentationUrlFor(code: string): string | undefined {
  const key = code.trim().toUpperCase();
  if (CODES.get(key)?.page === 'search') return searchLink(key);
  return URL_RULES.find(([pattern]) => pattern.test(key))?.[1](key);
}

function csharpPage(code: string): string {
  const page = CODES.get(code)?.page;
  const own = code.toLowerCase();
  if (page !== undefined) return `${COMPILER_MESSAGES}/${page === 'own' ? own : page}`;
  return MISC_PAGES.test(code) ? `${LEARN}/dotnet/csharp/misc/${own}` : searchLink(code);
}

function searchLink(code: string): string {
  return `${LEARN}/search/?terms=${encodeURIComponent(code)}`;
}
