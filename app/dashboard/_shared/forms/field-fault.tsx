/** A field's fault, under it. */
export function FieldFault({ id, text }: { id: string; text: string | undefined }) {
  return text ? (
    <p id={id} className="field-error !text-sm">
      {text}
    </p>
  ) : null;
}
