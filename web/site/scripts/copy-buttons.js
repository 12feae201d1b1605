// Buttons that copy the code before them. Without script, or where the page may not copy, they stay hidden.

/** How long a button says that it has copied, in milliseconds. */
const SAID = 2000;

export function enableCopyButtons() {
  if (!navigator.clipboard) return;
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = document.querySelectorAll('button.copy');
  for (const button of buttons) {
    const label = button.textContent;
    button.disabled = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? '');
      button.textContent = button.dataset.done ?? '';
      setTimeout(() => (button.textContent = label), SAID);
    });
  }
}
