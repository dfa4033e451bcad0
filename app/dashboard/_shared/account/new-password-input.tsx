import { PASSWORD_LENGTH } from '#server/merchants/types.ts';
import { PasswordInput } from './password-input.tsx';

/** A field for a new password: with the gateway's least length, kept by password managers. */
export function NewPasswordInput(look: {
  id: string;
  label: string;
  hint: string;
  faultId?: string;
  className?: string;
}) {
  return (
    <PasswordInput
      {...look}
      name="password"
      required
      minLength={PASSWORD_LENGTH.least}
      maxLength={PASSWORD_LENGTH.most}
      autoComplete="new-password"
    />
  );
}
