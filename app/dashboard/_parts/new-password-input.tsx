import { LabelledInput } from './labelled-input.tsx';

/** Where a password is chosen: as long as the gateway demands, and kept by password managers. */
export function NewPasswordInput(look: {
  id: string;
  label: string;
  hint: string;
  faultId?: string;
  className?: string;
}) {
  return (
    <LabelledInput
      {...look}
      name="password"
      type="password"
      required
      minLength={12}
      maxLength={1024}
      autoComplete="new-password"
    />
  );
}
