import { SearchIcon } from '#app/_ui/icons.tsx';
import { MAX_SEARCH_LENGTH } from '#server/invoices/types.ts';
import { INPUT } from './form-field.tsx';

/** The one box that a list is searched by; `/` leads there. */
export function SearchBox({
  label,
  hint,
  value,
  className,
}: {
  label: string;
  hint: string;
  value: string;
  className: string;
}) {
  return (
    <div className={`relative min-w-0 ${className}`}>
      <SearchIcon className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-5 text-muted" />
      <input
        type="search"
        name="q"
        id="search"
        defaultValue={value}
        maxLength={MAX_SEARCH_LENGTH}
        autoCapitalize="none"
        spellCheck={false}
        aria-label={label}
        placeholder={hint}
        className={`${INPUT} !pl-10`}
      />
    </div>
  );
}
