import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';

/**
 * Checks `multipleOf` with exact decimal arithmetic: 4.35 is a multiple of 0.01, although the quotient of these
 * floating-point numbers is not a whole number. Each number counts as the shortest decimal that represents it, which is
 * how JSON writes it.
 */
export const MULTIPLE_OF: FuncKeywordDefinition = {
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  errors: true,
  validate: checkMultiple,
};

function checkMultiple(factor: number, value: number): boolean {
  if (isMultiple(value, factor)) return true;
  (checkMultiple as SchemaValidateFunction).errors = [
    { keyword: 'multipleOf', message: `must be a multiple of ${factor}`, params: { multipleOf: factor } },
  ];
  return false;
}

/** Returns true if `value` / `factor` is a whole number. @param factor greater than 0, otherwise the result is false */
export function isMultiple(value: number, factor: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return factor !== 0 && value % factor === 0;
  const a = toDecimal(value);
  const b = toDecimal(factor);
  if (!a || !b || b.digits === 0n) return false;
  const exponent = Math.min(a.exponent, b.exponent);
  return scaled(a, exponent) % scaled(b, exponent) === 0n;
}

/** The number `digits` · 10^`exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function toDecimal(value: number): Decimal | undefined {
  const [, whole, fraction = '', power = '0'] = /^(-?\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  if (whole === undefined) return undefined;
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

function scaled({ digits, exponent }: Decimal, newExponent: number): bigint {
  return digits * 10n ** BigInt(exponent - newExponent);
}
