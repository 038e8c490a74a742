/**
 * The forms of program code and of placeholders. A value that begins with one of them is not a secret. The tables are
 * data: code.ts tries them, and the examples are their tests.
 */
export interface CodeForm {
  /** Values that only this form recognises. */
  readonly examples: readonly string[];
  /** Without flags. */
  readonly pattern: RegExp;
  /** True if white space, a separator, a quote or a bracket must follow. */
  readonly isWhole?: true;
}

/** Texts that another program replaces by the value, and marks for a value that is hidden or missing. */
const PLACEHOLDERS: readonly CodeForm[] = [
  {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text
    examples: ['${{ secrets.TOKEN }}', '#{token}', '{{ token }}'],
    pattern: /(?:[$#]{1,2}\{{1,2}|\{\{)[^}\r\n]{0,200}\}{1,2}/,
  },
  { examples: ['$(cat token)'], pattern: /\$\([^)\r\n]{0,200}\)/ },
  { examples: ['$TOKEN', '$$TOKEN', '$env:TOKEN'], pattern: /\${1,2}(?:env:)?[A-Z_][A-Z\d_]{1,60}/, isWhole: true },
  { examples: ['%TOKEN%', '%s'], pattern: /%(?:[A-Z_][A-Z\d_]{0,60}%|[a-z])/, isWhole: true },
  {
    examples: ['{token}', '{user.token!r}', '{0}', '{}', '{...}'],
    pattern: /\{(?:[A-Za-z_][\w.]{0,40}(?:![ars])?|\d?|\.{3})\}/,
    isWhole: true,
  },
  {
    examples: ['<token>', '&lt;value&gt;'],
    pattern: /(?:<|&(?:lt|#60|#x3[Cc]);)[A-Za-z][\w |.-]{0,40}(?:>|&gt;)\.?/,
    isWhole: true,
  },
  { examples: ['<the characters in x, and "*">'], pattern: /<(?:any|the) [^<>\r\n]{1,100}>/, isWhole: true },
  { examples: ['****', '...', '…', '--'], pattern: /\*{3,}|\.{3}|\u2026|-{2,3}/, isWhole: true },
  {
    examples: ['(none)', '(not set)'],
    pattern: /\((?:[Nn]one|[Nn]ot set|[Oo]ptional|[Rr]equired|[Uu]nset)\)/,
    isWhole: true,
  },
];

/** Expressions that do not begin with a name, regular expressions, and commands of Perl and PowerShell. */
const EXPRESSIONS: readonly CodeForm[] = [
  {
    examples: ['({ hash, type }: Claims): boolean => true', '(e,t)=>e'],
    pattern: /\([^()"'`\r\n]{0,100}\)[\w :<>[\]|.]{0,40}=>/,
  },
  {
    examples: ['(start, end)', '(1, 2)', '(quote if isQuoted else plain)', '(name: string) x', '(await load()).x'],
    pattern: /\((?:\d{1,3},\s|await [A-Za-z_$]|[A-Za-z_$.]{1,60}(?:,\s| [=+&|?]| if |\??: [A-Za-z{[(]))/,
  },
  { examples: ['[]', '()', '[...cookies].map(f)'], pattern: /\[\]|\(\)|\[\.{3}/ },
  {
    examples: ['$self->token', '$!', 'qr/x/', 'qq{', '\\$token', '\\undef'],
    pattern:
      /\$[A-Za-z_]\w{0,40}->[A-Za-z_{[]|\$[!@?](?=[\s,;)}"'\\]|$)|q[qrw][/{(|!]|\\{1,2}(?:[$@%][A-Za-z_]|undef\b)/,
  },
  {
    examples: ['/^[a-z/]+$/g', '/i.test(url)', '/* none */ x'],
    pattern: /\/(?:\*|[gimsuy]{0,4}\.(?:test|exec)\(|\S{1,200}\/[dgimsuvy]{0,8}(?=[;,.)\s]|$))/,
  },
  {
    examples: ['(.*)/s', '[^&]*/x/', '(?:a|b)', '\\d+'],
    pattern: /\((?:\?[:=!]|\.[*+]|\[\^|\\{1,2}[dwsDWS])|\[\^[^\s\]]{1,20}\][*+{]|\\{1,2}[dwsDWS][*+{]/,
  },
  {
    examples: ['!0', '!!options.secret'],
    pattern: /!(?:[01]|!?[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){1,12})/,
    isWhole: true,
  },
  {
    examples: ['Read-Host', 'ConvertTo-SecureString'],
    pattern: /(?:ConvertFrom|ConvertTo|Get|Import|New|Read)-[A-Z][A-Za-z]{2,30}/,
    isWhole: true,
  },
];

const NAME = '[A-Za-z_$][\\w$]{0,60}';
const OTHER_NAMES = `(?:(?:\\?\\.|!?\\.|::|->)${NAME}){0,12}`;
const PATH = `${NAME}${OTHER_NAMES}`;
const TYPE_ARGUMENTS = '<[A-Za-z][\\w<>, .?[\\]|]{0,80}>';
/** Objects that many programs have: `config.token` is an expression that reads a member, and not a secret itself. */
const OBJECTS =
  'this(?:\\$\\d){0,3}|self|process|options?|opts|args|req|request|res|response|props|state|ctx|context|config|settings|params|' +
  'import\\.meta|os|sys|System|Environment|Console|Guid|Convert|window|document|event|user|source|secrets|vars|env|' +
  'github|inputs|module|exports|builder|app|services';
/** The last words of a member's name: `reader.accessToken` reads a secret, but is none itself. */
const SECRET_MEMBERS =
  '[Tt]oken|[Pp]assword|[Pp]asswd|[Ss]ecret|[Kk]ey|[Cc]redentials?|[Cc]ookies?|[Aa]uthorization|Value|None|[Ee]mpty|[Dd]efault|NULL';

const callOf = (name: string) => new RegExp(`!?${name}${OTHER_NAMES}(?:${TYPE_ARGUMENTS})?(?:\\?\\.)?\\(`);

/** Directly after `=` or `:`, a name with digits is more likely to be a password. */
export const CALL_AFTER_OPERATOR: CodeForm = {
  examples: ['Get()', 'process.cwd()'],
  pattern: callOf('[A-Za-z_$]{1,60}'),
};
export const CALL: CodeForm = {
  examples: ['Identifier(bar)', 'map?.get<string>(name)', 'read_utf8(x)', 'Uint8Array.from(x)'],
  pattern: callOf('(?:[A-Za-z_$]{1,60}(?:\\d{0,3}|\\d{1,2}[A-Z][a-z]{2,20})|(?:[A-Za-z]{1,30}_){1,4}\\w{1,30})'),
};

/** Members and elements of objects, and generic types. All begin with a name. */
export const MEMBERS: readonly CodeForm[] = [
  {
    examples: ['tokens[at]', 'args[1]', 'input["a-b"]', 'line[a:]', 'HEAP32[(max >> 2)+1]'],
    pattern: new RegExp(
      `${PATH}\\[(?:["'\`][\\w:.-]{1,80}["'\`]\\]|[A-Za-z_][\\w.,+ -]{0,60}\\]|\\(\\w{1,20} >> \\d\\)[\\w+ -]{0,10}\\]|\\d{1,4}\\]|[\\w.+ -]{0,40}:[\\w.+ -]{0,40}\\](?=[\\s,;:)\\]}.]|$))`,
    ),
  },
  { examples: ['this.x', 'options?.y2', 'this$1$1.z'], pattern: new RegExp(`(?:${OBJECTS})\\??\\.[A-Za-z_$]`) },
  {
    examples: ['validation.success,', 'SyntaxKind.Keyword | x', 'session.jti }'],
    pattern: /[A-Za-z_$]{1,60}(?:\??\.[A-Za-z_$]{1,60}){1,8}(?:(?=[,;)])| [|&?=<>}])/,
  },
  {
    examples: ['reader.accessToken', 'r2.apiKey', 'Optional.empty', 'shop_1.default'],
    pattern: new RegExp(`${PATH}\\??\\.[A-Za-z_$]{0,40}(?:${SECRET_MEMBERS})`),
    isWhole: true,
  },
  {
    examples: ['IToken<number>', 'z.ZodOptional<z.ZodString>'],
    pattern: new RegExp(`${PATH}${TYPE_ARGUMENTS}(?=[\\s,;:)=|&]|$)`),
  },
  { examples: ['name+"="+value'], pattern: /[A-Za-z_$][\w$]{0,60}\+["'][^"'\s]{0,20}["']\+/ },
];

const LETTER_PATH = '[$_]?[A-Za-z](?:\\??\\.[A-Za-z_$]{1,40}){0,8}';
const AFTER_LETTER = '(?:,[A-Za-z_$][\\w$.]{0,40}[:=]|;(?=[\\s}"\'`\\\\]|$)|[)}](?=[\\s,;){}\\]"\'`\\\\]|$))';

/** Minified code, whose variables have one letter. */
export const MINIFIED: CodeForm = {
  examples: ['e,b:1', 'e;', '$t)', '_e}', 't.data.x}', 'e?t:n}', 't.x&&n,this.y=1'],
  pattern: new RegExp(`${LETTER_PATH}(?:(?:\\?${LETTER_PATH}:|\\|\\||&&)${LETTER_PATH})?${AFTER_LETTER}`),
};

/** The forms that can begin with something else than a name: each first character is in `STARTS_FORM` of code.ts. */
export const SIGN_FORMS: readonly CodeForm[] = [...PLACEHOLDERS, ...EXPRESSIONS];

const END = '(?=[\\s,;:)\\]}"\'`<&\\\\|]|$)';

/** Compiles forms into one sticky pattern. */
export function patternOf(forms: readonly CodeForm[]): RegExp {
  const sources = forms.map(({ pattern, isWhole }) => `(?:${pattern.source})${isWhole ? END : ''}`);
  return new RegExp(sources.join('|'), 'y');
}
