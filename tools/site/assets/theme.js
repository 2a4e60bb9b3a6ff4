// Before the first paint: the reader's choice of dark or light, otherwise that of the system.
(() => {
  const stored = () => {
    try {
      return localStorage.getItem('theme');
    } catch {
      return null;
    }
  };
  const { dataset } = document.documentElement;
  const chosen = stored();
  if (chosen !== null) dataset.theme = chosen;
  addEventListener('DOMContentLoaded', () => {
    document.getElementById('theme')?.addEventListener('click', () => {
      const isDark =
        (dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : '')) === 'dark';
      dataset.theme = isDark ? 'light' : 'dark';
      try {
        localStorage.setItem('theme', dataset.theme);
      } catch {
        // The choice then lasts for this page.
      }
    });
    // Wide tables scroll in themselves, not the page.
    for (const table of document.querySelectorAll('main table')) {
      const frame = document.createElement('div');
      frame.className = 'table';
      frame.tabIndex = 0;
      table.replaceWith(frame);
      frame.append(table);
    }
  });
})();
