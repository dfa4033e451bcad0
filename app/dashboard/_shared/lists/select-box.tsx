import type { Permission } from '#server/trpc/rows.ts';

/** What can be done to several rows at once. */
export type Deed = 'cancel' | 'resend';

/** The deeds that somebody may do. */
export function deedsOf(permissions: readonly Permission[]): Deed[] {
  return [
    ...(permissions.includes('invoice.cancel') ? (['cancel'] as const) : []),
    ...(permissions.includes('callback.resend') ? (['resend'] as const) : []),
  ];
}

/** The box of a row, or without a row of all; it needs the `SelectionBar`'s script. */
export function SelectBox({
  label,
  row,
}: {
  label: string;
  row?: {
    id: string;
    /** What a person knows it by. */
    name: string;
    /** The deeds that its state allows. */
    can: readonly Deed[];
  };
}) {
  return (
    // A finger needs more than the box; the row's own link lies below.
    <label className="needs-script relative z-1 grid min-h-6 min-w-6 place-items-center pointer-coarse:min-h-11 pointer-coarse:min-w-11">
      <input
        type="checkbox"
        data-select={row ? 'row' : 'all'}
        data-name={row?.name}
        data-can={row?.can.join(' ')}
        value={row?.id}
        aria-label={label}
        // A browser that fills it in after a reload would select what nobody looks at.
        autoComplete="off"
        className="size-4"
      />
    </label>
  );
}
