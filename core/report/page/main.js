Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
Chart.defaults.font.size = 12.5;

showStatus();
showComparison();
showMemory();
showPipelines();
showTimes();
showBackends();
showHistory();
showCases();
showEnvironment();
document.getElementById("foot").append("Made by shardbench " + DATA.version + " from the run of " + DATA.run.started + ": ", el("code", {}, DATA.run.command), ". Charts by Chart.js (MIT).");
