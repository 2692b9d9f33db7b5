<#ftl output_format="HTML">
<#import "text.ftl" as text>
<#assign root = content.rootpath!''>
<#assign heading = text.title(content)>
<#-- Once: JBake asks its database each time. -->
<#assign all = published_content>
<#assign readme = all?filter(page -> page.uri == 'docs/README.html')?first>
<#macro link uri label>
<li><a href="${root}${uri}"<#if uri == content.uri> aria-current="page"</#if>>${label}</a>
<#if uri == content.uri>
  <#local parts = content.body?matches('<h2><a href="(#[^"]*)"[^>]*>(.*?)</a></h2>')>
  <#if parts?size gt 1>
<ul><#list parts as part><li><a href="${part?groups[1]}">${text.plain(part?groups[2])}</a></li></#list></ul>
  </#if>
</#if>
</li>
</#macro>
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}<#if heading != 'Tutti'> – Tutti</#if></title>
<link rel="stylesheet" href="${root}site/palette.css">
<link rel="stylesheet" href="${root}site/page.css">
<link rel="stylesheet" href="${root}site/site.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="${root}docs/README.html">Tutti</a>
<form class="search" role="search">
<input type="search" placeholder="Search (/)" aria-label="Search the documentation" autocomplete="off" aria-controls="results">
<p class="found" aria-live="polite"></p>
<ol id="results"></ol>
</form>
</header>
<div class="page">
<nav aria-label="Pages">
<details open>
<summary>Pages</summary>
<#-- The pages in the order and the groups of the tables of docs/README.md. -->
<#assign inList = false>
<#list readme.body?matches('<th>\\s*([^<]*?)\\s*</th>|<a href="([^"#]*)\\.md">') as found>
  <#if found?groups[2]?has_content>
    <#assign uri = ('docs/' + found?groups[2] + '.html')?replace('docs/../', '')>
    <#list all?filter(page -> page.uri == uri) as page><#if inList><@link uri=uri label=text.title(page)/></#if></#list>
  <#elseif found?groups[1]?has_content>
<#if inList></ul></#if>
<h2>${found?groups[1]?cap_first}</h2>
<ul>
    <#assign inList = true>
  </#if>
</#list>
<#if inList></ul></#if>
<#if content.uri?starts_with('docs/rules/')>
<h2>Rules</h2>
<ul>
<#list all?filter(page -> page.uri?starts_with('docs/rules/') && page.uri != 'docs/rules/README.html')?sort_by('uri') as page><@link uri=page.uri label=text.title(page)/></#list>
</ul>
</#if>
</details>
</nav>
<script src="${root}site/site.js" data-root="${root}"></script>
<main id="content" tabindex="-1">
<#-- Links between pages, and parts that scroll by themselves where they are wider than the screen. -->
${content.body
  ?replace('(<a href="(?![a-z]+:)[^"#]*)\\.md(?=["#])', '$1.html', 'r')
  ?replace('<table>', '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
  ?replace('</table>', '</table></div>')
  ?replace('<p>(<img [^>]*?alt="([^"]*)"[^>]*>)</p>', '<div class="scroll" tabindex="0" role="region" aria-label="Picture: $2">$1</div>', 'r')
  ?replace('<pre>', '<pre tabindex="0">')
  ?no_esc}
</main>
</div>
<footer><p class="muted">The search uses <a href="${root}site/lunr/LICENSE">lunr</a> (MIT).</p></footer>
</body>
</html>
