import { PASSWORD_LENGTH } from '#server/merchants/types.ts';
import { PasswordInput } from './password-input.tsx';

/** Where a password is chosen: as long as the gateway demands, and kept by password managers. */
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
