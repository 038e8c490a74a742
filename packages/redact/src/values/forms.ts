// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the examples are texts of other languages
import { charSet, wordPattern } from '../scanning/chars.js';

/**
 * The forms in which code and documents assign a value to a key that names a secret, as data. Each row describes the
 * text around the key; `match-form.ts` reads the rows. A form whose grammar needs more than one regular expression is a
 * function in `declarations.ts`.
 *
 * To match in linear time, every pattern is bounded, and each part of it begins with characters that end the part
 * before.
 */

/** The kind of text that is redacted as the value. Other text is not redacted. */
export type FormValue =
  /** The same values as after `=`, quoted or not. */
  | 'any'
  /** A string in quotes that is neither a sentence nor the name of a secret. */
  | 'literal'
  /** A literal. It must be more than a word if programs compare the key with words: `token !== 'space'`. */
  | 'compared'
  /** One word with a digit, with or without quotes. Sentences can have the same form, so other words are ignored. */
  | 'word'
  /** One word with a digit, up to the end of a table's cell. */
  | 'cell'
  /** The text that the first group of `before` matches. */
  | 'earlier'
  /** The text up to the next tag or the end of the line. */
  | 'content'
  /** The rest of the line. */
  | 'line'
  /** The cells below the key, which is the name of a column. */
  | 'column';

/** A form in which a value follows a key. */
export interface KeyForm {
  readonly name: string;
  /** Texts in which ‹ › surround the secret. Each example is a test. */
  readonly examples: readonly string[];
  /**
   * The characters that can follow the key, not counting closing quotes and brackets, and blanks after these. It is the
   * inside of a regular expression's brackets.
   */
  readonly startsWith: string;
  /** Requires (`some`) or excludes (`none`) blanks before that character. By default, both are possible. */
  readonly blanks?: 'some' | 'none';
  /**
   * Matches the end of the text before the key, including the key's opening quote. It is matched backwards from the
   * key.
   */
  readonly before?: RegExp;
  /** Matches the key, including the words before its last word. */
  readonly key?: RegExp;
  /** Matches the text from the end of the key, including its closing quote, to the value. Sticky. */
  readonly between: RegExp;
  readonly value: FormValue;
}

/** A literal inside an expression that is assigned to a key. */
export interface ExpressionForm {
  readonly name: string;
  /** Texts in which ‹ › surround the secret. Each example is a test. */
  readonly examples: readonly string[];
  /** Matches the expression up to the literal. Sticky. */
  readonly pattern: RegExp;
  readonly value: 'literal' | 'wrapped';
}

const BLANKS = '[ \\t]{0,8}';
const SPACES = '\\s{0,100}';
/** A path of names with indexes and calls that are not nested. */
const EXPRESSION =
  '[A-Za-z_$@!](?:[\\w$.@!]|[?:]{1,2}[.\\w]|->|\\[[^\\]\\r\\n]{0,80}\\]|<[\\w.?]{1,40}>(?=\\()|\\([^()\\r\\n]{0,80}\\)){0,120}';
const OPENS_CALL = `(?:<[\\w<>?., ]{1,60}>)?[ \\t]{0,2}\\(${SPACES}`;
const DEFAULT_OPERATOR = '(?:\\|\\||\\?\\?|\\?:|or(?=[ "\'(]))';
/** Functions whose first argument names the value of the second one: `set`, `WithEnvironment`, `putenv`. */
const SETTER =
  '(?:(?:try_?)?(?:add|append|bind|define|fill|insert|put|register|save|set|store|with|write)(?:[A-Z_]\\w{0,40})?|use_?setting|header|setopt|\\w{0,20}_setopt|entry|of|param|(?:[A-Z]\\w{0,20})?(?:Parameter|Pair|Property)|(?:Pair|Parameter)\\.create|KeyValuePair\\.Create|putenv)';
const GETTER =
  '(?:get_?env|getenv|env|fetch|get|config|setting|option|(?:get|env|config|flag|os|settings|viper)[._]?(?:[A-Z]?[a-z]{1,12}_?){1,3}|\\w{0,20}(?:OrDefault|or_default))';
const NAMED_FIRST = (callee: string) =>
  new RegExp(
    `(?:^|[^\\w])${callee}${OPENS_CALL}(?:\\$?[\\w.]{1,30},${BLANKS})?[@:]?["'\`][\\w.:/@#[\\]= -]{0,40}`,
    'i',
  );
const SECOND_ARGUMENT = new RegExp(`\\]?["'\`],${SPACES}(?:default\\w{0,10}[ ]?=[ ]?)?`, 'y');

/** The words that can follow a key. A letter in `startsWith` of a row stands for those that begin with it. */
const FORM_WORDS = 'are for has in is like or output reset set to value values was';
export const FORM_WORD = wordPattern(FORM_WORDS);
export const STARTS_FORM_WORD = charSet(`${FORM_WORDS} ${FORM_WORDS.toUpperCase()}`.match(/\b[A-Za-z]/g)!.join(''));

export const KEY_FORMS: readonly KeyForm[] = [
  {
    name: 'compound assignment',
    examples: [
      'password ||= "‹x9 y›"',
      'password ??= "‹x9 y›"',
      'password ~= "‹x9 y›"',
      'password~="‹x9 y›"',
      'config["apiKey"] += "‹x9 y›"',
      'api_key <- "‹x9 y›"',
    ],
    startsWith: '|?&+.<~',
    between: new RegExp(`["'\`]?\\]?${BLANKS}(?:(?:\\|\\||\\?\\?|&&|[+.?~])=|<-)${BLANKS}`, 'y'),
    value: 'literal',
  },
  {
    name: 'assignment of make where there is no value',
    examples: ['DB_PASSWORD ?= ‹x9›'],
    startsWith: '?~',
    between: new RegExp(`${BLANKS}[?~]=${BLANKS}`, 'y'),
    value: 'any',
  },
  {
    name: 'comparison',
    examples: ['password != "‹x9 y›"', "password !== '‹x9 y›'", 'password.equals("‹x9 y›")'],
    startsWith: '!.',
    between: /["'`]?\]?(?:[ \t]{0,8}!==?|\.(?:equals|eq|compareTo)\()[ \t]{0,8}/iy,
    value: 'compared',
  },
  {
    name: 'comparison by a word',
    examples: ['"$PASSWORD" -eq "‹x9 y›"', "password LIKE '‹x9 y›'", "password IN ('‹x9 y›')"],
    startsWith: 'liLI-',
    blanks: 'some',
    between: /["'`]?[ \t]{1,8}(?:-(?:eq|ne|ceq|like)|LIKE|IN[ \t]{0,4}\()[ \t]{0,8}/iy,
    value: 'compared',
  },
  {
    name: 'default of a variable',
    examples: [
      'process.env.API_KEY ?? "‹x9 y›"',
      'ENV["DB_PASSWORD"] || \'‹x9 y›\'',
      'getenv("DB_PASSWORD") or "‹x9 y›"',
    ],
    startsWith: '|?o!',
    between: new RegExp(
      `(?:["'\`]?[\\])]{0,2}!?(?:${BLANKS}(?:\\|\\||\\?\\?)|[ \\t]{1,8}\\?:)|["']?[\\])]{1,2}[ \\t]{1,8}or(?=[ "']))${BLANKS}`,
      'y',
    ),
    value: 'literal',
  },
  {
    name: 'default of a variable in a template',
    examples: ['${DB_PASSWORD:-‹x9›}', '${API_KEY:=‹x9›}'],
    startsWith: ':',
    before: /\$\{[\w.-]{0,40}/,
    between: /:[-=](?=[^}])/y,
    value: 'any',
  },
  {
    name: 'second argument of a setter',
    examples: [
      'AddWithValue("@password", "‹x9 y›")',
      'setItem("token", "‹x9 y›")',
      'new KeyValuePair<string, string>("password", "‹x9 y›")',
    ],
    startsWith: ',',
    blanks: 'none',
    before: NAMED_FIRST(SETTER),
    between: SECOND_ARGUMENT,
    value: 'literal',
  },
  {
    name: 'second argument of a getter',
    examples: [
      'env("DB_PASSWORD", "‹x9 y›")',
      'os.environ.get("API_KEY", "‹x9 y›")',
      "config('SECRET_KEY', default='‹x9 y›')",
    ],
    startsWith: ',',
    blanks: 'none',
    before: NAMED_FIRST(GETTER),
    between: SECOND_ARGUMENT,
    value: 'literal',
  },
  {
    name: 'argument of a setter',
    examples: ['.WithPassword("‹x9 y›")', 'o.Password("‹x9 y›")', 'client.set_api_key(b"‹x9 y›")'],
    startsWith: '(',
    key: /(?:^|[.\W])(?:(?:[Ss]et|[Ww]ith|[Uu]se|[Pp]ut|[Aa]dd)(?:_[a-z]|[A-Z])\w*|_?(?:[A-Za-z]+_)?(?:[Pp]assword|[Pp]asswd|[Pp]ass_?[Pp]hrase|(?:[Aa]pi|[Aa]ccess|[Ss]ecret|[Pp]rivate)_?[Kk]ey|[Cc]lient_?[Ss]ecret|(?:[Aa]ccess|[Aa]uth|[Rr]efresh|[Bb]earer)_?[Tt]oken))$/,
    between: new RegExp(`\\(${SPACES}`, 'y'),
    value: 'literal',
  },
  {
    name: 'value before the name',
    examples: ['form.Add(new StringContent("‹x9 y›"), "password");'],
    startsWith: ');',
    blanks: 'none',
    before: /StringContent\(\s{0,40}["']([^"'\r\n]{1,120})["']\s{0,8}\),\s{0,40}["']/d,
    between: /["']/y,
    value: 'earlier',
  },
  {
    name: 'constant of an option',
    examples: ['curl_setopt($ch, CURLOPT_PASSWORD, "‹x9 y›");'],
    startsWith: ',',
    before: /setopt\([^,()]{1,40},\s{0,8}/i,
    between: /,[ \t]{0,8}/y,
    value: 'literal',
  },
  {
    name: 'pair in a list or a dictionary',
    examples: [
      '[["password", "‹x9 y›"]]',
      '{ { "apiKey", "‹x9 y›" } }',
      "[('token', '‹x9 y›')]",
      'Map.of("user", "bob", "password", "‹x9 y›")',
    ],
    startsWith: ',',
    blanks: 'none',
    before: /(?:[[({,]\s{0,100}[[({]|\bof\((?:[^()]{0,80},)?)\s{0,100}["'`][\w.:/@-]{0,40}/,
    between: new RegExp(`["'\`],${SPACES}`, 'y'),
    value: 'literal',
  },
  {
    name: 'selector of a field that is filled in',
    examples: ['page.fill("#password", "‹x9 y›")', 'By.id("password")).sendKeys("‹x9 y›")'],
    startsWith: '.,',
    blanks: 'none',
    between: new RegExp(
      `\\]?["'\`]\\){0,3}(?:\\.(?:type|fill|sendKeys|send_keys|setValue|set_value|val)\\(|,)${BLANKS}`,
      'y',
    ),
    before:
      /\b(?:id|get|find|fill|type|select|locator|querySelector|getElementById|\$)\(\s{0,8}["'`][#.]?[\w[= -]{0,40}/i,
    value: 'literal',
  },
  {
    name: 'association of Lisp and Clojure',
    examples: ['{:password "‹x9 y›"}', '(password . "‹x9 y›")'],
    startsWith: '".',
    blanks: 'some',
    before: /[:(]/,
    between: /[ \t]{1,8}(?:\.[ \t]{1,8})?(?=")/y,
    value: 'literal',
  },
  {
    name: 'password of SQL and of Gradle',
    examples: ["PASSWORD '‹x9 y›'", 'storePassword "‹x9 y›"', "keyPassword '‹x9 y›'"],
    startsWith: '"\'',
    blanks: 'some',
    key: /(?:^PASSWORD|^password|storePassword|keyPassword)$/,
    between: /[ \t]{1,8}(?:(?=')|(?<=(?:store|key)Password[ \t]{1,8})(?="))/y,
    value: 'literal',
  },
  {
    name: 'password of a user in SQL',
    examples: ["SET PASSWORD FOR 'bob' = '‹x9 y›'"],
    startsWith: 'fF',
    blanks: 'some',
    between: /[ \t]{1,4}FOR[ \t]{1,4}['"`]?[\w.-]{1,40}['"`]?(?:@['"`]?[\w.%-]{1,40}['"`]?)?[ \t]{0,4}=[ \t]{0,8}/iy,
    value: 'literal',
  },
  {
    name: 'input of HTML',
    examples: ['<input type="password" value="‹x9 y›">'],
    startsWith: 'v',
    blanks: 'some',
    before: /<input\b[^<>]{0,100}\btype=["']?/i,
    between: /["']?[ \t]{1,8}value=/y,
    value: 'literal',
  },
  {
    name: 'block of Terraform',
    examples: ['variable "password" {\n  default = "‹x9 y›"\n}', 'output "token" { value = "‹x9 y›" }'],
    startsWith: '{',
    blanks: 'some',
    before: /\b(?:variable|output)[ \t]{1,8}"[\w-]{0,40}/,
    between: /"[ \t]{1,8}\{(?:[^{}]{0,400}\s)?(?:default|value)[ \t]{0,20}=[ \t]{0,8}(?=")/y,
    value: 'literal',
  },
  {
    name: 'emphasis',
    examples: ['**Password:** ‹x9›', '**Password**: ‹x9›', '*Token:* `‹x9›`', '- **API key** = ‹x9›'],
    startsWith: ':= \t',
    before: /(?:^|[^\w*~])[*_~`]{1,4}[\w .-]{0,40}/,
    between: /(?:[*_~`]{1,4}[ \t]{0,4}[:=]|[:=][*_~`]{1,4})[ \t]{1,8}/y,
    value: 'any',
  },
  {
    name: 'emphasis by underscores',
    examples: ['__Token:__ ‹x9›'],
    startsWith: ':=',
    key: /^_{1,3}[A-Za-z]/,
    between: /[:=]_{1,3}[ \t]{1,8}/y,
    value: 'any',
  },
  {
    name: 'text of an element and of the next one',
    examples: ['<td>Password</td><td>‹x9 y›</td>', '<b>Password:</b> ‹x9 y›', '<dt>Password</dt><dd>‹x9 y›</dd>'],
    startsWith: ':<',
    before: /<(?:b|strong|em|i|code|td|th|dt|label|span|kbd|p)\b[^<>]{0,80}>\s{0,40}[\w .-]{0,40}/i,
    between:
      /(?::(?:<\/(?:b|strong|em|i|code|td|th|dt|label|span|kbd|p)>){1,2}[ \t]{0,8}|(?:<\/(?:b|strong|em|i|code|td|th|dt|label|span|kbd|p)>){1,2}[ \t]{0,8}(?::|(?=\s{0,40}<[a-z])))\s{0,40}(?:<(?:td|dd|span|code|kbd|p|div|b|strong)\b[^<>]{0,80}>\s{0,40}){0,3}/iy,
    value: 'content',
  },
  {
    name: 'name and value in two elements',
    examples: ['<name>ApiKey</name><value>‹x9 y›</value>', '<key>token</key>\n<string>‹x9 y›</string>'],
    startsWith: '<',
    between: /<\/(?:name|key|id)>\s{0,40}<(?:value|string|data|val)>\s{0,100}/iy,
    value: 'content',
  },
  {
    name: 'column of a table',
    examples: [
      'password,name\n‹x9›,bob',
      '| Name | Password |\n|---|---|\n| bob | ‹x9› |',
      "INSERT INTO users (password, name) VALUES ('‹x9 y›', 'bob')",
    ],
    startsWith: ',;|\\t',
    between: /["'`\]*]{0,3}[ \t]{0,60}[,;|\t]/y,
    value: 'column',
  },
  {
    name: 'last column of a table',
    examples: [
      'name,password\nbob,‹x9›',
      "INSERT INTO users (name, password) VALUES ('bob', '‹x9 y›')",
      ' name | password \n------+----------\n bob  | ‹x9›',
    ],
    startsWith: 'vVoO\\r\\n',
    before: /[,;\t|(][ \t]{0,40}["'`[]?[\w .-]{0,40}/,
    between: /["'`\]*)]{0,3}[ \t]{0,60}(?:\r?\n|VALUES|OUTPUT)/iy,
    value: 'column',
  },
  {
    name: 'cell of a table',
    examples: ['| Password | ‹x9› |', '│ API key │ `‹x9›` │', '"Stored:\\n│ Token │ ‹x9› │"'],
    startsWith: '|\x80',
    before: /(?:^|[\r\n"']|\\[nr])[ \t]{0,20}[|│][ \t*`]{0,8}[\w .-]{0,40}/,
    between: /[*`]{0,3}[ \t]{0,60}[|│][ \t]{0,20}/y,
    value: 'cell',
  },
  {
    name: 'part of a form',
    examples: ['form-data; name="password"\r\n\r\n‹x9 y›\r\n--b'],
    startsWith: ';\r\n',
    blanks: 'none',
    before: /form-data;[^\r\n]{0,80}\bname=["']?[\w.-]{0,40}/i,
    between: /["']?(?:;[^\r\n]{0,200})?(?:\r?\n[A-Za-z-]{1,40}:[^\r\n]{0,200}){0,4}\r?\n\r?\n/y,
    value: 'line',
  },
  {
    name: 'words before a value',
    examples: ['The password is "‹x9 y›"', "password was set to '‹x9 y›'", 'set password to "‹x9 y›"'],
    startsWith: 'aihwst',
    blanks: 'some',
    between:
      /[ \t]{1,4}(?:(?:is|was|are)(?: (?:now|set to|changed to))?|(?:has been )?(?:re)?set to|to|set)[ \t]{1,4}(?=["'`])/iy,
    value: 'word',
  },
  {
    name: 'words before a separator',
    examples: ['Admin password is: ‹x9›', 'password set to: ‹x9›', 'password (staging): ‹x9›', 'Password ....: ‹x9›'],
    startsWith: 'aihwst(\\[.',
    between:
      /(?:[ \t]{1,4}(?:(?:is|was|are)(?: (?:now|set to|changed to))?|(?:has been )?(?:re)?set to)|[ \t]{1,4}[([][\w ,-]{1,30}[)\]]|[ \t]?\.{3,60}[ \t]?)[ \t]{0,4}[:=][ \t]{1,8}/iy,
    value: 'word',
  },
  {
    name: 'arrow',
    examples: ['Generated token → ‹x9›', 'password -> ‹x9›'],
    startsWith: '\\x80-',
    blanks: 'some',
    between: /[ \t]{1,8}(?:->|→)[ \t]{1,8}/y,
    value: 'word',
  },
];

/**
 * A variable with a default: `${PASSWORD:-x}`, or `${password:x}` of Spring. `${env:NAME}` has no default; the text
 * before its colon is the kind of source.
 */
export const TEMPLATE_DEFAULT =
  /\$\{(?!(?:cf|command|config|custom|env|file|inputs?|opt|ref|secrets?|self|ssm|sys|vars?|vault):)[\w.-]{1,60}:(?:[-=]|(?![-=?+]))(?=[^\s}$"'<]{1,200}\})/y;

/** Functions that return or wrap the value with which they are called. */
const WRAPPER =
  '(?:Some|Just|Ok|Right|Optional|Option|Secret|SecretStr|SecretString|SecretBytes|SecureString|Sensitive|Protected|Redacted|String|string|str|bytes|byte|Bytes|GetBytes|getBytes|encode|from|of|ofNullable|just|resolve|new|b64decode|FromBase64String|atob|CreateSecret|ApiSecret|trim|raw)';

export const EXPRESSION_FORMS: readonly ExpressionForm[] = [
  {
    name: 'default after an expression',
    examples: [
      'password = process.env.PW || "‹x9 y›"',
      "token: options.t ?? '‹x9 y›'",
      'secret = getenv("S") ?: "‹x9 y›"',
    ],
    pattern: new RegExp(`${EXPRESSION}${BLANKS}${DEFAULT_OPERATOR}${BLANKS}`, 'y'),
    value: 'literal',
  },
  {
    name: 'conditional expression',
    examples: ['password = isProd ? load() : "‹x9 y›"'],
    pattern: new RegExp(`${EXPRESSION}[ \\t]{1,8}\\?[^"'\`\\r\\n?:]{1,80}:${BLANKS}`, 'y'),
    value: 'literal',
  },
  {
    name: 'getter with a default',
    examples: ['password = os.getenv("K", "‹x9 y›")', 'password = coalesce(var.pw, "‹x9 y›")'],
    pattern: new RegExp(
      `(?:[A-Za-z_$][\\w$]{0,40}(?:\\.|::|->)){0,6}(?:get|env|fetch|config|coalesce|nvl|value|option|setting|default)\\w{0,30}${OPENS_CALL}(?:"[^"\\r\\n]{0,80}"|'[^'\\r\\n]{0,80}'|[\\w.$]{1,60}),${SPACES}(?:default\\w{0,10}[ ]?=[ ]?)?`,
      'iy',
    ),
    value: 'literal',
  },
  {
    name: 'alternative to an empty value',
    examples: ['password = env::var("PW").unwrap_or("‹x9 y›")', 'password = Optional.ofNullable(pw).orElse("‹x9 y›")'],
    pattern: new RegExp(
      `[A-Za-z_$](?:[\\w$:]|\\.(?!or_?else|unwrap_or|get_?or|or_?default)|\\([^()\\r\\n]{0,80}\\)){0,120}\\.(?:or_?else|unwrap_or|get_?or|or_?default)\\w{0,12}\\((?:\\|\\w{0,8}\\||\\(\\)[ ]?[=-]>)?${BLANKS}`,
      'iy',
    ),
    value: 'literal',
  },
  {
    name: 'parentheses and conversions',
    examples: ['password = ("‹x9 y›")', 'token = (string)"‹x9 y›"'],
    pattern: new RegExp(`\\(${BLANKS}(?:[A-Za-z]{1,20}\\)${BLANKS})?`, 'y'),
    value: 'literal',
  },
  {
    name: 'wrapper of a literal',
    examples: ['password = SecretStr("‹x9 y›")', "token = Buffer.from('‹x9 y›')", 'password: Some("‹x9 y›")'],
    pattern: new RegExp(
      `(?:new |await |\\[\\])?(?:[A-Za-z_$][\\w$]{0,40}(?:\\.|::)){0,6}${WRAPPER}(?:<[\\w.]{1,30}>)?(?:\\(${BLANKS}(?:value[ ]?=[ ]?)?|[ ](?="))`,
      'y',
    ),
    value: 'literal',
  },
  {
    name: 'output of Terraform',
    examples: ['db_password = {\n  sensitive = true\n  value = "‹x9 y›"\n}'],
    pattern: /\{\s(?:[^{}]{0,400}\s)?(?:default|value)[ \t]{0,20}=[ \t]{0,8}(?=")/y,
    value: 'literal',
  },
  {
    name: 'default in a template',
    examples: ['password: ${PW:-‹x9›}', 'token=${T:‹x9›}'],
    pattern: TEMPLATE_DEFAULT,
    value: 'wrapped',
  },
  {
    name: 'printed wrapper',
    examples: ['password=Optional[‹x9›]', 'apiKey=Some(‹x9›)'],
    pattern: /(?<==)(?:Optional|Some|Just|Option|Secret)[[(](?=[^\s\])"']{1,200}[\])])/y,
    value: 'wrapped',
  },
];
