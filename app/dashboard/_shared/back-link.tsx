import { ArrowLeftIcon } from '#app/_ui/icons.tsx';

/** The way back to the parent list or screen; stands above the title. */
export function BackLink({ href, text }: { href: string; text: string }) {
  return (
    <a
      href={href}
      className="link-quiet mb-2 inline-flex items-center gap-1 py-0.5 text-sm print:hidden"
    >
      <ArrowLeftIcon className="size-4" />
      {text}
    </a>
  );
}
