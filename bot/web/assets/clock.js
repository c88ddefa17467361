// Counts down the time left while the page is open.

function tick() {
  for (const clock of document.querySelectorAll("time[data-due]")) {
    const left = Math.max(Math.floor((Number(clock.dataset.due) - Date.now()) / 1000), 0);
    const parts = { days: Math.floor(left / 86400), hours: Math.floor(left / 3600) % 24, minutes: Math.floor(left / 60) % 60, seconds: left % 60 };
    if (parts.days) parts.seconds = 0;
    const format = new Intl.DurationFormat(document.documentElement.lang, { style: "short" });
    clock.textContent = format.format(left ? parts : { seconds: 0, secondsDisplay: "always" });
  }
}
if (Intl.DurationFormat) setInterval(tick, 1000);
