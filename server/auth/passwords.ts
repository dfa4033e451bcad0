import { GatewayError } from '../lib/errors.ts';
import { PASSWORD_LENGTH } from '../merchants/types.ts';
import { isCommonPassword } from './common-passwords.ts';

const TOO_EASY =
  'This password is too easy to guess: it is made of common words, rows like 1234, repeats or your own address.';

/** Why a password that a person chose will not do, or null: too short, too long, or easily guessed. */
export function weaknessOf(password: string, email: string): string | null {
  if ([...password].length < PASSWORD_LENGTH.least || password.length > PASSWORD_LENGTH.most) {
    return `A password has ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters.`;
  }
  return isCommonPassword(password, email) ? TOO_EASY : null;
}

/** @throws GatewayError `validation` for a password that will not do */
export function checkNewPassword(password: string, email: string): void {
  const weakness = weaknessOf(password, email);
  if (weakness) throw new GatewayError('validation', weakness);
}
